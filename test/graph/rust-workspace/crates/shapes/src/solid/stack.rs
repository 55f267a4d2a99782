use crate::Volume;

pub struct Stack<T> {
    items: Vec<T>,
}

impl<T> Stack<T> {
    pub fn new() -> Self {
        Stack { items: vec![] }
    }

    pub fn push(&mut self, item: T) {
        self.items.push(item);
    }

    pub fn top(&self) -> Option<&T> {
        self.items.last()
    }

    pub fn each<F: Fn(&T) -> f64>(&self, f: F) -> f64 {
        self.items.iter().map(|item| f(item)).sum()
    }
}

/// What is written for it calls the type parameter by another name.
impl<Block: Volume> Stack<Block> {
    pub fn heavy(&self) -> f64 {
        match self.top() {
            Some(block) => block.volume(),
            None => 0.0,
        }
    }
}

impl<T> IntoIterator for Stack<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.into_iter()
    }
}
