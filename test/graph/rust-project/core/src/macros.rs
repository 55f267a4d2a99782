macro_rules! first_of {
    ($list:expr) => {
        $list.into_iter().next()
    };
}

macro_rules! ensure {
    ($test:expr, $error:expr) => {
        if !$test {
            return Err($error);
        }
    };
}
