module Depot
  module Named
    def title
      tidy(name)
    end

    def tidy(text)
      text.strip
    end
  end
end
