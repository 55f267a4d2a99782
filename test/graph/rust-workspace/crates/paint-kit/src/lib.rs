use shapes::prelude::{Area, Circle};
use std::fmt::{self, Display};
use std::sync::{Arc, Mutex};

#[derive(Clone, Copy)]
pub enum Shade {
    Light,
    Dark(u8),
    Mixed { of: u8, with: u8 },
}

use Shade::{Dark, Light};

impl Shade {
    pub fn all() -> Vec<Shade> {
        vec![Light, Dark(1)]
    }

    pub fn level(self) -> u8 {
        match self {
            Light => 0,
            Dark(level) => level,
            Shade::Mixed { of, with } => of.max(with),
        }
    }

    pub fn mix(&self, other: &Self) -> Self {
        Self::Mixed { of: self.level(), with: other.level() }
    }
}

pub struct Brush {
    pub shade: Shade,
    log: Arc<Mutex<Vec<Stroke>>>,
}

struct Stroke(f64);

impl Stroke {
    fn length(&self) -> f64 {
        self.0
    }
}

impl Brush {
    pub fn with(shade: Shade) -> Brush {
        Brush { shade, log: Arc::new(Mutex::new(Vec::new())) }
    }

    fn stroke(&self, length: f64) {
        self.log.lock().unwrap().push(Stroke(length));
        let longest = self.log.lock().unwrap().iter().map(|one| one.length()).fold(0.0, f64::max);
        drop(longest);
    }
}

pub trait Coat {
    fn coat(&self);
}

impl Coat for Circle {
    fn coat(&self) {
        self.area();
    }
}

impl Display for Shade {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}", self.level())
    }
}

pub fn coat<A>(brush: &Brush, what: &A)
where
    A: Area,
{
    brush.stroke(what.area());
    what.double();
    unknown_thing().stroke(1.0);
    some_value().area();
}
