package tallystick.gatling;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.prefs.AbstractPreferences;
import java.util.prefs.Preferences;
import java.util.prefs.PreferencesFactory;

/**
 * Preferences that live as long as their process. Java's own lie in a folder with a lock that all
 * of a user's processes share, and Gatling reads them: one run could then fail for another's sake.
 */
public final class InMemoryPreferences implements PreferencesFactory {
  private final Preferences system = new Node(null, "");
  private final Preferences user = new Node(null, "");

  /** Made by {@link Preferences}. */
  public InMemoryPreferences() {}

  /** Has this process use these; before anything has asked for its preferences. */
  static void install() {
    System.setProperty(
        "java.util.prefs.PreferencesFactory", InMemoryPreferences.class.getName());
  }

  @Override
  public Preferences systemRoot() {
    return system;
  }

  @Override
  public Preferences userRoot() {
    return user;
  }

  private static final class Node extends AbstractPreferences {
    private final Map<String, String> values = new ConcurrentHashMap<>();

    Node(AbstractPreferences parent, String name) {
      super(parent, name);
    }

    @Override
    protected void putSpi(String key, String value) {
      values.put(key, value);
    }

    @Override
    protected String getSpi(String key) {
      return values.get(key);
    }

    @Override
    protected void removeSpi(String key) {
      values.remove(key);
    }

    @Override
    protected void removeNodeSpi() {
      values.clear();
    }

    @Override
    protected String[] keysSpi() {
      return values.keySet().toArray(String[]::new);
    }

    /** The nodes there are lie in the parent's cache, which is asked besides. */
    @Override
    protected String[] childrenNamesSpi() {
      return new String[0];
    }

    @Override
    protected AbstractPreferences childSpi(String name) {
      return new Node(this, name);
    }

    @Override
    protected void syncSpi() {}

    @Override
    protected void flushSpi() {}
  }
}
