import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collections;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;

/**
 * Raises class files of Java 5 and older, those of picocli and Commons Math, to Java 8's format:
 * the same code with the stack maps that came with Java 6. Java remembers no older class of a
 * start, checks it the slow way, and Java 25.0.3 fails while it makes an AOT cache beside them.
 * {@code java -cp ASM RaisedClasses.java FOLDER} rewrites the folder's jars that have such classes.
 */
public class RaisedClasses {
  /** Stack maps came with Java 6, and Java verifies and remembers all classes that have them. */
  private static final int OLDEST_REMEMBERED = 50;

  private static final String NOTICE = "META-INF/CHANGED-BY-TALLYSTICK";

  /** Rewrites each jar of a folder that needs it. */
  public static void main(String[] arguments) throws IOException {
    List<Path> jars;
    try (Stream<Path> files = Files.list(Path.of(arguments[0]))) {
      jars = files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
    }
    for (Path jar : jars) {
      if (hasOldClass(jar)) {
        raise(jar);
      }
    }
  }

  private static boolean hasOldClass(Path jar) throws IOException {
    try (JarFile file = new JarFile(jar.toFile())) {
      for (JarEntry entry : Collections.list(file.entries())) {
        if (isOld(entry, file.getInputStream(entry).readNBytes(8))) {
          return true;
        }
      }
      return false;
    }
  }

  private static boolean isOld(JarEntry entry, byte[] bytes) {
    return entry.getName().endsWith(".class")
        && ((bytes[6] & 0xff) << 8 | bytes[7] & 0xff) < OLDEST_REMEMBERED;
  }

  private static void raise(Path jar) throws IOException {
    ByteArrayOutputStream raised = new ByteArrayOutputStream();
    try (JarFile file = new JarFile(jar.toFile());
        URLClassLoader classes = new URLClassLoader(new URL[] {jar.toUri().toURL()});
        JarOutputStream out = new JarOutputStream(raised)) {
      for (JarEntry entry : Collections.list(file.entries())) {
        byte[] bytes = file.getInputStream(entry).readAllBytes();
        write(out, entry, isOld(entry, bytes) ? raise(classes, bytes) : bytes);
      }
      JarEntry notice = new JarEntry(NOTICE);
      notice.setTimeLocal(file.entries().nextElement().getTimeLocal());
      String words = "Class files were raised to Java 8's format; their code is the same.\n";
      write(out, notice, words.getBytes(StandardCharsets.UTF_8));
    }
    Path fresh = Files.write(Path.of(jar + ".raised"), raised.toByteArray());
    Files.move(fresh, jar, StandardCopyOption.REPLACE_EXISTING);
  }

  private static byte[] raise(ClassLoader classes, byte[] bytes) {
    ClassWriter raised =
        new ClassWriter(ClassWriter.COMPUTE_FRAMES) {
          @Override
          protected ClassLoader getClassLoader() {
            return classes;
          }
        };
    ClassVisitor version =
        new ClassVisitor(Opcodes.ASM9, raised) {
          @Override
          public void visit(
              int old, int access, String name, String signature, String above, String[] faces) {
            super.visit(Opcodes.V1_8, access, name, signature, above, faces);
          }
        };
    new ClassReader(bytes).accept(version, ClassReader.SKIP_FRAMES);
    return raised.toByteArray();
  }

  /** The same place in time, so that two builds are equal. */
  private static void write(JarOutputStream out, JarEntry like, byte[] bytes) throws IOException {
    JarEntry entry = new JarEntry(like.getName());
    entry.setTimeLocal(like.getTimeLocal());
    out.putNextEntry(entry);
    out.write(bytes);
    out.closeEntry();
  }
}
