use crate::{Error, Result};

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Currency {
    Euro,
    Other(Code),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Code(pub [u8; 3]);

impl Code {
    pub fn known(self) -> bool {
        self.0 != [0, 0, 0]
    }
}

/// In cents.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Price {
    pub cents: i64,
    pub currency: Currency,
}

impl Price {
    pub fn new(cents: i64, currency: Currency) -> Price {
        Price { cents, currency }
    }

    pub fn zero() -> Price {
        Self::new(0, Currency::Euro)
    }

    pub fn add(&self, other: &Price) -> Price {
        Price::new(self.cents + other.cents, self.currency.or(other.currency))
    }

    pub(crate) fn check(&self) -> Result<()> {
        if self.cents < 0 {
            return Err(Error::field("price", "below zero"));
        }
        Ok(())
    }
}

impl Currency {
    fn or(self, other: Currency) -> Currency {
        match self {
            Currency::Other(code) if code.known() => self,
            _ => other,
        }
    }
}

impl Default for Price {
    fn default() -> Self {
        Self::zero()
    }
}
