mod support;

use shapes::{Cube, Square};
use support::*;

#[test]
fn weighs() {
    let cube = Cube::new(corner());
    weigh(&cube);
    // Nothing brings the trait into scope here.
    cube.describe();
    let Square(side, ..) = corner();
    side.abs();
}
