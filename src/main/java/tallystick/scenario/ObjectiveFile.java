package tallystick.scenario;

import java.util.List;

/** Objectives in a file of their own, or a whole scenario's: read as a scenario reads them. */
public final class ObjectiveFile {
  private ObjectiveFile() {}

  /**
   * The objectives of a file.
   *
   * @param file the name to use in messages
   * @throws ScenarioException with file and line, if there are none or one cannot be read
   */
  public static List<Objective> read(String file, String text) {
    Node tree = YamlTree.parse(text, line -> SourceLocation.ofLine(file, line));
    Section root = Section.of(tree, "", ScenarioKeys.FIRST_LEVEL);
    root.require("objectives", ScenarioKeys.FIRST_LEVEL.get("objectives").written());
    return ObjectiveReader.ofAnyClass(root);
  }
}
