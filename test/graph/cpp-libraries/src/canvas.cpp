#include "canvas.hpp"

using geo::Canvas;
using geo::Pen;

Pen &Pen::colour(geo::Colour colour) {
  if (colour == geo::Colour::Green) return width(2, true).width();
  return *this;
}

Pen &Pen::width(int width, bool soft) {
  (void)width;
  return soft ? this->width() : *this;
}

Pen &Pen::width() { return *this; }

Canvas::~Canvas() { pen_.width(); }

void Canvas::line(const geo::Point &from, const geo::Point &to) {
  auto length = (from + to).length();
  pen_.width(static_cast<int>(length)).colour(geo::Colour::Red);
  geo::Point copy = from;
  copy.dot(to);
}

geo::Canvas &geo::Canvas::operator<<(const std::string &text) {
  line(Point::zero(), Point{});
  return text.empty() ? *this : *this;
}
