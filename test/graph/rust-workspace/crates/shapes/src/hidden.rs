pub fn found() -> f64 {
    crate::secret() + self::inner::deep()
}

mod inner {
    pub(super) fn deep() -> f64 {
        super::flat()
    }
}

fn flat() -> f64 {
    use crate::units::*;
    scale(INCH)
}
