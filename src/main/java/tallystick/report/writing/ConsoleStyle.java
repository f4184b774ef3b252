package tallystick.report.writing;

import tallystick.answer.Tone;

/** Marks on a terminal; without colour every text stays as it is. */
enum ConsoleStyle {
  PLAIN(""),
  HEADING("1"),
  GOOD("32"),
  CAUTION("33"),
  BAD("31"),
  FAINT("2");

  private final String code;

  ConsoleStyle(String code) {
    this.code = code;
  }

  static ConsoleStyle of(Tone tone) {
    return switch (tone) {
      case GOOD -> GOOD;
      case CAUTION -> CAUTION;
      case BAD -> BAD;
      case MUTED -> FAINT;
      case PLAIN, CLIENT, ENGINE -> PLAIN;
    };
  }

  String mark(String text, boolean colour) {
    return colour && this != PLAIN && !text.isEmpty()
        ? "\u001b[" + code + "m" + text + "\u001b[0m"
        : text;
  }
}
