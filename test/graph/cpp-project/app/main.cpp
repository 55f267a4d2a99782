#include "../include/depot/circle.hpp"

#include <memory>

using namespace depot;

namespace {
void draw(const Shape &shape) { shape.name(); }
}  // namespace

class Window {
 public:
  void open() { show(); }
  void show();
  void add(Circle *circle) { circles_ = circle; }

 private:
  Circle *circles_;
};

void Window::show() {
  circles_->grow(1).grow(2).area();
  this->add(new Circle(3));
}

int main() {
  depot::Circle one(2);
  auto unit = depot::Circle::unit();
  Stack<Circle> stack;
  stack.place(one);
  draw(unit);
  Window window;
  window.open();
  unknown->refresh();
  return depot::total(one, 2) > 1;
}
