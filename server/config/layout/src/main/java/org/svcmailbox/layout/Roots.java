package org.svcmailbox.layout;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

/**
 * The modules from which a server starts, because scripts, configuration and application name them.
 */
final class Roots {
  private static final String STRUCTURE = "META-INF/jboss-deployment-structure.xml";

  /** The modules that the scripts {@code standalone.sh} and {@code jboss-cli.sh} start. */
  private static final Set<String> PROGRAMS =
      Set.of("org.jboss.as.standalone", "org.jboss.as.cli", "org.jboss.logmanager");

  private Roots() {}

  static Set<String> of(Path home) throws IOException {
    Set<String> roots = new TreeSet<>(PROGRAMS);
    Path configuration = home.resolve("standalone/configuration/standalone.xml");
    for (Element one : Xml.below(Xml.root(configuration), "*")) {
      roots.add(one.getAttribute("module"));
    }
    roots.addAll(ofApplication(home.resolve("standalone/deployments/mailbox.ear")));
    return roots;
  }

  private static Set<String> ofApplication(Path ear) throws IOException {
    Set<String> roots = new TreeSet<>();
    try (JarFile jar = new JarFile(ear.toFile());
        InputStream in = jar.getInputStream(jar.getEntry(STRUCTURE))) {
      for (Element dependencies : Xml.below(Xml.root(new InputSource(in)), "dependencies")) {
        Xml.below(dependencies, "module").forEach(one -> roots.add(one.getAttribute("name")));
      }
    }
    return roots;
  }
}
