module Depot
  module Store
    class Base
      def check_room
        raise Full unless room?
      end

      def room?
        true
      end
    end

    class Full < StandardError; end
  end
end
