#include <geo/shape.hpp>

#include "../src/canvas.hpp"
extern "C" {
#include "../legacy/legacy.h"
}

using namespace geo;
namespace g = geo;

struct Scene {
  Canvas canvas;
  std::vector<Disc *> discs;
  Disc *main = nullptr;
  void (*hook)(Scene &scene);

  void show() const;
  Scene &add(Disc *disc) {
    discs.push_back(disc);
    main = disc;
    return *this;
  }
  struct Light {
    int level;
    int bright() const { return level * 2; }
  } light;
};

void Scene::show() const {
  main->draw(const_cast<Canvas &>(canvas));
  if (light.bright() > 1) main->at().length();
}

namespace {
int frames = 0;
void tick(Scene &scene) {
  frames++;
  scene.hook(scene);
  scene.canvas.each([&](const Shape &shape) { shape.area(); });
}
}  // namespace

template <typename... Args>
void log(Args &&...args) {
  legacy_log(sizeof...(args));
}

int main(int argc, char **argv) {
  Scene scene;
  auto *disc = new Disc(Point::zero(), 2);
  scene.add(disc).add(new g::Disc(Point{}, 1)).show();
  Shape::Ptr made = g::Shape::make("disc");
  made->area();
  auto area = [disc](double by) { return disc->area() * by; };
  area(2);
  tick(scene);
  ::tick(scene);
  log(argc, argv);
  Colour colour = Colour::Green;
  switch (colour) {
    case Colour::Red:
      break;
    default:
      geo::detail::checked(argc);
  }
  Cell cell = Cell::zero();
  cell += cell;
  unknown()->enlist();
  return middle(disc->at(), {}).length() > legacy_state.level;
}
