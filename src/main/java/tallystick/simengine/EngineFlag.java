package tallystick.simengine;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A flag of the simulated engine.
 *
 * @param name named as vLLM names it where vLLM has it
 * @param value where it is not given
 * @param valueLabel what its value is; empty for true or false
 * @param within {@code 1} for its least, {@code 0 to 1} or {@code above 0}; empty for any
 * @param description what it does, with its default
 */
public record EngineFlag(
    String name, String value, String valueLabel, String within, String description) {
  private static final String FAULT = "fault";

  private static final List<EngineFlag> ALL =
      EngineKind.lines("flags.txt").stream().map(EngineFlag::of).toList();

  /** Every flag, in the order a reader meets them. */
  public static List<EngineFlag> all() {
    return ALL;
  }

  /** Whether it is true or false. */
  public boolean isSwitch() {
    return valueLabel.isEmpty();
  }

  /** Whether it may be given more than once; its values are then separated by {@code ;}. */
  public boolean isList() {
    return name.equals(FAULT);
  }

  /**
   * The flag of a name.
   *
   * @throws IllegalArgumentException if there is none
   */
  static EngineFlag named(String name) {
    return ALL.stream()
        .filter(flag -> flag.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "unknown engine flag " + name + "; known are "
                        + ALL.stream()
                            .map(EngineFlag::name)
                            .sorted()
                            .collect(Collectors.joining(", "))));
  }

  /** Refuses a value that is not within its bounds. */
  <T extends Number> T checked(T given) {
    double number = given.doubleValue();
    String[] ends = within.replace("above ", "").split(" to ");
    boolean isAbove = within.startsWith("above ");
    double least = within.isEmpty() ? Double.NEGATIVE_INFINITY : Double.parseDouble(ends[0]);
    double most = ends.length > 1 ? Double.parseDouble(ends[1]) : Double.POSITIVE_INFINITY;
    if (within.isEmpty() || (isAbove ? number > least : number >= least && number <= most)) {
      return given;
    }
    String wanted = ends.length > 1 ? "between " + ends[0] + " and " + ends[1] : ">= " + ends[0];
    throw new IllegalArgumentException(
        name + " must be " + (isAbove ? "> " + ends[0] : wanted) + ", was " + given);
  }

  private static EngineFlag of(String line) {
    String[] cells =
        Stream.of(line.split("\\|", 4)).map(String::strip).toArray(String[]::new);
    String[] kind = cells[2].split(": ");
    String label = kind[0].equals("-") ? "" : kind[0];
    String value = cells[1];
    String usual = label.isEmpty() ? Boolean.parseBoolean(value) ? "on" : "off" : value;
    String told =
        cells[3]
            .replace("{engines}", EngineKind.known(" or "))
            .replace("{faults}", String.join(", ", FaultOptions.EXAMPLES));
    String text = told.endsWith(")") ? told : told + " (" + usual + ")";
    return new EngineFlag(
        cells[0], value, label, kind.length > 1 ? kind[1] : "", text + ".");
  }
}
