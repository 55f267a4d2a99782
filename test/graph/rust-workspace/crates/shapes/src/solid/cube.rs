use super::super::flat::{Area, Mark, Square};
use super::{Stack, Volume};
use std::rc::Rc;

pub struct Cube {
    side: Square,
    paint: Option<Box<dyn Fn(&Cube) -> f64>>,
    pub parts: Rc<Vec<Mark>>,
}

impl Cube {
    pub fn new(side: Square) -> Self {
        Cube { side, paint: None, parts: Rc::new(Vec::new()) }
    }

    pub fn painted(mut self, paint: Box<dyn Fn(&Cube) -> f64>) -> Self {
        self.paint = Some(paint);
        self
    }

    pub fn cost(&self) -> f64 {
        match &self.paint {
            Some(paint) => paint(self),
            None => self.side.area() + self.parts.iter().map(Mark::width).sum::<f64>(),
        }
    }

    fn on(self, stack: &mut Stack<Cube>) {
        stack.push(self);
        let Some(top) = stack.top() else { return };
        top.cost();
    }
}

impl Volume for Cube {
    fn volume(&self) -> f64 {
        self.side.area() * self.side().0
    }

    fn side(&self) -> &Square {
        &self.side
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grows() {
        let mut stack = Stack::new();
        Cube::new(Square::empty()).on(&mut stack);
        assert!(stack.top().unwrap().volume() > 0.0);
    }
}
