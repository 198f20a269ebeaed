package org.svcmailbox.layout;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.w3c.dom.Element;

/**
 * A module of JBoss Modules.
 *
 * @param required the modules without which it cannot be loaded
 * @param asked optional modules that it asks for implementations of services
 */
record ServerModule(String name, Path directory, Set<String> required, Set<String> asked) {

  /** Reads a {@code module.xml}, which defines a module or an alias of one. */
  static ServerModule read(Path xml) throws IOException {
    Element root = Xml.root(xml);
    Set<String> required = new HashSet<>();
    Set<String> asked = new HashSet<>();
    if (root.hasAttribute("target-name")) {
      required.add(root.getAttribute("target-name"));
    }
    for (Element one : Xml.below(root, "module")) {
      if (!one.getAttribute("optional").equals("true")) {
        required.add(name(one));
      } else if (one.getAttribute("services").equals("import")) {
        asked.add(name(one));
      }
    }
    return new ServerModule(name(root), xml.resolveSibling(""), required, asked);
  }

  private static String name(Element element) {
    String slot = element.getAttribute("slot");
    String name = element.getAttribute("name");
    return slot.isEmpty() || slot.equals("main") ? name : name + ":" + slot;
  }

  List<Path> jars() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.toString().endsWith(".jar")).toList();
    }
  }
}
