use std::fmt;

/// What can go wrong.
#[derive(Debug)]
pub enum Error {
    Missing(String),
    Field { name: String, why: &'static str },
    Full,
}

pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    pub fn field(name: &str, why: &'static str) -> Self {
        Error::Field { name: name.to_string(), why }
    }

    pub fn code(&self) -> i32 {
        match self {
            Self::Missing(id) => len(id),
            Error::Field { name, .. } => len(name),
            Error::Full => 3,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error {}", self.code())
    }
}

impl std::error::Error for Error {}

fn len(text: &str) -> i32 {
    text.len() as i32
}
