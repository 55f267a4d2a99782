use paint_kit::{coat, Brush, Coat as _, Shade};
use shapes::flat::{self, Area};

fn main() {
    let brush = Brush::with(Shade::Dark(3));
    let circle: flat::Circle = Area::empty();
    coat(&brush, &circle);
    circle.coat();
    for shade in Shade::all() {
        shade.mix(&brush.shade).level();
    }
}
