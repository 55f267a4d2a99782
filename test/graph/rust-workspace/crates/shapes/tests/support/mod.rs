use shapes::{Square, Volume};

pub fn weigh(what: &dyn Volume) -> f64 {
    what.volume() + what.side().double()
}

pub fn corner() -> Square {
    shapes::flat::make::<Square>() + Square::default()
}
