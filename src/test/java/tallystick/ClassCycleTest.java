package tallystick;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Inside a room, too, classes that name one another form no circle, not even by a constant. */
class ClassCycleTest {
  @Test
  void classesFormNoCircle() {
    Map<String, Set<String>> uses = ClassGraph.read();
    assertThat(uses).as("classes").hasSizeGreaterThan(500);
    Map<String, Set<String>> reached = new TreeMap<>();
    uses.keySet().forEach(type -> reached.put(type, reachable(uses, type)));
    List<Set<String>> circles = new ArrayList<>();
    Set<String> seen = new TreeSet<>();
    for (String type : uses.keySet()) {
      if (seen.contains(type)) {
        continue;
      }
      Set<String> circle = new TreeSet<>(reached.get(type));
      circle.removeIf(other -> !reached.getOrDefault(other, Set.of()).contains(type));
      if (circle.size() > 1) {
        circles.add(circle);
        seen.addAll(circle);
      }
    }
    assertThat(circles).as("%s circles", circles.size()).isEmpty();
  }

  private static Set<String> reachable(Map<String, Set<String>> uses, String from) {
    Set<String> found = new TreeSet<>();
    Deque<String> open = new ArrayDeque<>(List.of(from));
    while (!open.isEmpty()) {
      for (String next : uses.getOrDefault(open.pop(), Set.of())) {
        if (found.add(next)) {
          open.push(next);
        }
      }
    }
    return found;
  }
}
