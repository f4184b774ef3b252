package tallystick.report;

/** Marks on a terminal; without colour every text stays as it is. */
enum ConsoleStyle {
  HEADING("1"),
  GOOD("32"),
  CAUTION("33"),
  BAD("31"),
  FAINT("2");

  private final String code;

  ConsoleStyle(String code) {
    this.code = code;
  }

  String mark(String text, boolean colour) {
    return colour ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
  }
}
