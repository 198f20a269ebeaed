package org.svcmailbox.layout;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/** Reads references to modules from a module's jar. */
final class ModuleJar {
  private static final String EXTENSION = "META-INF/services/org.jboss.as.controller.Extension";

  private ModuleJar() {}

  /** Whether the jar can provide a subsystem of the configuration. */
  static boolean isExtension(Path file) throws IOException {
    try (JarFile jar = new JarFile(file.toFile())) {
      return jar.getEntry(EXTENSION) != null;
    }
  }

  /** All text constants in its classes, and so the names of modules that they load. */
  static Set<String> texts(Path file) throws IOException {
    Set<String> texts = new HashSet<>();
    try (JarFile jar = new JarFile(file.toFile())) {
      for (JarEntry entry : jar.stream().filter(ModuleJar::isClass).toList()) {
        try (InputStream in = jar.getInputStream(entry)) {
          addTexts(new DataInputStream(in), texts);
        }
      }
    }
    return texts;
  }

  /** Excludes {@code module-info}, which names modules of another kind. */
  private static boolean isClass(JarEntry entry) {
    return entry.getName().endsWith(".class") && !entry.getName().endsWith("module-info.class");
  }

  /** Reads the constant pool, as in section 4.4 of the JVM specification. */
  private static void addTexts(DataInputStream in, Set<String> texts) throws IOException {
    in.skipNBytes(8);
    int count = in.readUnsignedShort();
    for (int i = 1; i < count; i++) {
      int tag = in.readUnsignedByte();
      switch (tag) {
        case 1 -> texts.add(in.readUTF());
        case 5, 6 -> {
          in.skipNBytes(8);
          i++;
        }
        case 7, 8, 16, 19, 20 -> in.skipNBytes(2);
        case 15 -> in.skipNBytes(3);
        default -> in.skipNBytes(4);
      }
    }
  }
}
