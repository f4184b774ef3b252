package tallystick.promql;

import java.util.Optional;
import java.util.Set;

/** Classes of letters by their Unicode names: categories and scripts. */
final class UnicodeClass {
  private static final Set<String> CATEGORIES =
      Set.of("C", "Cc", "Cf", "Co", "Cs", "L", "Ll", "Lm", "Lo", "Lt", "Lu", "M", "Mc", "Me", "Mn",
          "N", "Nd", "Nl", "No", "P", "Pc", "Pd", "Pe", "Pf", "Pi", "Po", "Ps", "S", "Sc", "Sk",
          "Sm", "So", "Z", "Zl", "Zp", "Zs");

  private UnicodeClass() {}

  /**
   * The name as Java has it; empty if there is none of that name.
   *
   * @throws NotUnderstoodException for a script that is spelled in a way of its own
   */
  static Optional<String> of(String name) {
    if (CATEGORIES.contains(name)) {
      return Optional.of(name);
    }
    try {
      String known = Character.UnicodeScript.forName(name).name();
      if (known.equalsIgnoreCase(name) && Character.isUpperCase(name.charAt(0))) {
        return Optional.of("Is" + name);
      }
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
    throw new NotUnderstoodException("Unicode class " + name, 0);
  }
}
