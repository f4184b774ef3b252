package tallystick;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Java that the documents show is whole, and compiles. */
class DocumentedJavaTest {
  private static final Pattern BLOCK = Pattern.compile("(?s)```java\n(.*?)```");
  private static final Pattern NAME = Pattern.compile("public class (\\w+)");

  private static final class Shown extends SimpleJavaFileObject {
    private final String text;

    Shown(String name, String text) {
      super(URI.create("string:///" + name + ".java"), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }

  @Test
  void everyExampleCompiles(@TempDir Path classes) throws IOException {
    List<Shown> examples = examples();
    assertThat(examples).hasSizeGreaterThanOrEqualTo(2);
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> said = new DiagnosticCollector<>();
    String path =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    boolean isGood =
        compiler
            .getTask(
                null, null, said,
                List.of("-proc:none", "-nowarn", "-d", classes.toString(), "-cp", path), null,
                examples)
            .call();
    assertThat(isGood).as(said.getDiagnostics().toString()).isTrue();
  }

  private static List<Shown> examples() throws IOException {
    List<Shown> found = new ArrayList<>();
    try (Stream<Path> files = Files.walk(Path.of("docs"))) {
      for (Path file : files.filter(one -> one.toString().endsWith(".md")).toList()) {
        for (MatchResult block : BLOCK.matcher(Files.readString(file)).results().toList()) {
          Matcher name = NAME.matcher(block.group(1));
          assertThat(name.find()).as("%s shows a class that can be copied", file).isTrue();
          found.add(new Shown(name.group(1), block.group(1)));
        }
      }
    }
    return found;
  }
}
