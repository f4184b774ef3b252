package tallystick.alerting.derivation;

import java.util.Locale;
import java.util.Optional;

/**
 * One thing that a threshold lacks, with its numbers.
 *
 * @param need what is missing
 * @param found how much of it there is
 * @param limit how much is needed, or allowed at most
 * @param sentence the same for a reader
 */
public record UnmetRequirement(Requirement need, double found, double limit, String sentence) {

  /** Missing where less was found than is needed. */
  static Optional<UnmetRequirement> below(
      Requirement need, double found, double needed, String form, Object... numbers) {
    return found >= needed ? Optional.empty() : Optional.of(of(need, found, needed, form, numbers));
  }

  /** Missing where more was found than is allowed. */
  static Optional<UnmetRequirement> above(
      Requirement need, double found, double allowed, String form, Object... numbers) {
    return found <= allowed
        ? Optional.empty()
        : Optional.of(of(need, found, allowed, form, numbers));
  }

  static UnmetRequirement of(
      Requirement need, double found, double limit, String form, Object... numbers) {
    return new UnmetRequirement(need, found, limit, String.format(Locale.ROOT, form, numbers));
  }
}
