macro_rules! ensure {
    ($test:expr, $error:expr) => {
        if !$test {
            return Err($error);
        }
    };
}
