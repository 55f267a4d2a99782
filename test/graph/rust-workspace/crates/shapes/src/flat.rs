use crate::units::angle::{self, Side, Side::*};
use crate::units::{self as u, angle::turn};
use std::collections::{BTreeMap, HashMap};
use std::ops::Add;

/// Has a size in the plane.
pub trait Area {
    const SIDES: u32;
    type Part;

    fn area(&self) -> f64;

    fn double(&self) -> f64 {
        twice!(self.area())
    }

    fn empty() -> Self
    where
        Self: Sized;
}

#[derive(Clone, Debug, Default)]
pub struct Circle {
    pub radius: f64,
    marks: Vec<Mark>,
}

#[derive(Clone, Debug, Default)]
pub struct Square(pub f64, Mark);

#[derive(Clone, Debug, Default)]
pub struct Mark {
    text: String,
}

impl Mark {
    pub fn named(text: &str) -> Self {
        Self { text: text.to_owned() }
    }

    pub fn width(&self) -> f64 {
        self.text.len() as f64
    }
}

impl Area for Circle {
    const SIDES: u32 = 0;
    type Part = Mark;

    fn area(&self) -> f64 {
        turn(self.radius) * self.radius
    }

    fn empty() -> Self {
        Circle::default()
    }
}

impl Area for Square {
    const SIDES: u32 = 4;
    type Part = Self;

    fn area(&self) -> f64 {
        self.0 * self.0 + self.1.width()
    }

    fn double(&self) -> f64 {
        self.area() * f64::from(Self::SIDES)
    }

    fn empty() -> Self {
        Square(0.0, Mark::named("none"))
    }
}

impl Add for Square {
    type Output = Square;

    fn add(self, other: Square) -> Square {
        Square(self.0 + other.0, self.1)
    }
}

impl From<Square> for Circle {
    fn from(square: Square) -> Self {
        Circle { radius: square.0, ..Circle::empty() }
    }
}

impl Circle {
    pub const MAX: usize = 8;

    pub fn mark(&mut self, text: &str) -> &mut Self {
        if self.marks.len() < Self::MAX {
            self.marks.push(Mark::named(text));
        }
        self
    }

    pub fn widest(&self) -> Option<&Mark> {
        self.marks.iter().filter(|mark| mark.width() > 1.0).max_by_key(|mark| mark.width() as u64)
    }

    pub fn by_name(&self) -> HashMap<String, &Mark> {
        let mut all = HashMap::new();
        for mark in &self.marks {
            all.insert(mark.text.clone(), mark);
        }
        all
    }
}

pub fn lean(side: Side, by: f64) -> f64 {
    match side {
        Left => u::scale(by),
        Right(more) => angle::turn(more),
    }
}

pub fn other(side: &Side) -> Side {
    if let Side::Right(by) = *side {
        return Side::Right(lean(Side::Left, by));
    }
    Right(1.0)
}

pub fn table(circles: Vec<Circle>) -> BTreeMap<u64, Circle> {
    let mut table = BTreeMap::new();
    for (n, mut circle) in circles.into_iter().enumerate() {
        circle.mark("seen").mark("kept");
        table.insert(n as u64, circle);
    }
    for (_, circle) in &table {
        circle.widest().map(|mark| mark.width()).unwrap_or_default();
    }
    table
}

pub fn make<T: Area>() -> T {
    let made = T::empty();
    made.double();
    made
}

pub fn both() -> f64 {
    let circle: Circle = make();
    let square = make::<Square>();
    let other = <Square as Area>::empty();
    circle.widest();
    square.double() + other.0 + Circle::from(square).area()
}
