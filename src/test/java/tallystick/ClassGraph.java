package tallystick;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/**
 * Which of our classes names which, as the JDK's jdeps reads their files. ArchUnit reads what the
 * code does; a constant that the compiler copies is done nowhere, and only the list of names in the
 * class file still tells whose it was. A nested class counts as its outer one.
 */
final class ClassGraph {
  private static final Pattern ARROW =
      Pattern.compile(
          "^ +tallystick\\.([\\w.]+)\\S* +-> tallystick\\.([\\w.]+)", Pattern.MULTILINE);

  private ClassGraph() {}

  /** Class → the others that it names, without the first part of the package. */
  static Map<String, Set<String>> read() {
    StringWriter written = new StringWriter();
    int code =
        ToolProvider.findFirst("jdeps")
            .orElseThrow()
            .run(
                new PrintWriter(written), new PrintWriter(written),
                "-verbose:class", "-filter:none", "--ignore-missing-deps", "target/classes");
    assertThat(code).as("%s", written).isZero();
    Map<String, Set<String>> uses = new TreeMap<>();
    Matcher arrows = ARROW.matcher(written.toString());
    while (arrows.find()) {
      Set<String> named = uses.computeIfAbsent(arrows.group(1), any -> new TreeSet<>());
      if (!arrows.group(2).equals(arrows.group(1))) {
        named.add(arrows.group(2));
      }
    }
    uses.forEach((name, named) -> named.removeAll(kinds(name)));
    return uses;
  }

  /** A sealed type must name its kinds, and they it: that is one thing, and no circle. */
  private static List<String> kinds(String name) {
    try {
      Class<?> type = Class.forName("tallystick." + name, false, ClassGraph.class.getClassLoader());
      return type.isSealed()
          ? Stream.of(type.getPermittedSubclasses())
              .map(kind -> kind.getName().substring("tallystick.".length()))
              .toList()
          : List.of();
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }
}
