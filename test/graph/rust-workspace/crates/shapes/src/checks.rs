macro_rules! checked {
    ($value:expr) => {
        if $value > 0.0 { $value } else { 0.0 }
    };
}

macro_rules! twice {
    ($value:expr) => {
        $value + $value
    };
}
