package tallystick;

import java.io.File;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Tests that need a program which is no part of Java. Where the search path lacks it they are
 * skipped, and the output says what to install. With {@code TALLY_ALL_PROGRAMS} in the environment
 * they fail instead.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(NeedsProgram.Condition.class)
public @interface NeedsProgram {
  /** The program's command. */
  String value();

  /** Asks the search path. */
  final class Condition implements ExecutionCondition {
    /** Commands → the Debian packages that bring them. */
    private static final Map<String, String> PACKAGES =
        Map.of(
            "promtool", "prometheus",
            "prometheus-alertmanager", "prometheus-alertmanager",
            "chromium", "chromium",
            "script", "bsdutils");

    private static final Set<String> TOLD = ConcurrentHashMap.newKeySet();

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      return AnnotationSupport.findAnnotation(context.getElement(), NeedsProgram.class)
          .map(NeedsProgram::value)
          .filter(command -> !isThere(command))
          .map(Condition::leftOut)
          .orElseGet(() -> ConditionEvaluationResult.enabled("what it needs is there"));
    }

    private static ConditionEvaluationResult leftOut(String command) {
      String why =
          command + " is not there; it comes with the Debian package " + PACKAGES.get(command);
      if (System.getenv("TALLY_ALL_PROGRAMS") != null) {
        throw new AssertionError(why);
      }
      if (TOLD.add(command)) {
        System.out.println("Tests are left out: " + why + ".");
      }
      return ConditionEvaluationResult.disabled(why);
    }

    /** Whether a folder of the search path has it. */
    public static boolean isThere(String command) {
      return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
          .anyMatch(folder -> Files.isExecutable(Path.of(folder, command)));
    }
  }
}
