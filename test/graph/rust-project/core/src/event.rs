/// Takes what is sent.
pub trait Listener<T> {
    fn on(&self, value: &T);
}

/// Sends values to listeners.
pub struct Bus<T> {
    listeners: Vec<Box<dyn Listener<T>>>,
}

impl<T> Bus<T> {
    pub fn new() -> Self {
        Bus { listeners: Vec::new() }
    }

    pub fn add(&mut self, listener: Box<dyn Listener<T>>) -> &mut Self {
        self.listeners.push(listener);
        self
    }

    pub fn send(&self, value: &T) {
        for listener in self.listeners.iter() {
            listener.on(value);
        }
    }
}

/// Counts what it hears.
pub struct Counter<'a> {
    pub count: &'a std::cell::Cell<u32>,
}

impl<'a, T> Listener<T> for Counter<'a> {
    fn on(&self, _value: &T) {
        self.bump();
    }
}

impl Counter<'_> {
    fn bump(&self) {
        self.count.set(self.count.get() + 1);
    }
}
