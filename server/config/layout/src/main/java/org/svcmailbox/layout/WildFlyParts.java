package org.svcmailbox.layout;

import static java.util.stream.Collectors.groupingBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.w3c.dom.Element;

/**
 * The artifacts that WildFly consists of, with their licences, as its {@code
 * docs/licenses/licenses.xml} lists them. Jars are identified by their file names.
 */
final class WildFlyParts {
  /** One artifact. The classifier is the jar's and mostly empty. */
  record Part(
      String group, String name, String version, String classifier, List<Licence> licences) {
    String stem() {
      return name + "-" + version;
    }

    String purl() {
      String type = classifier.isEmpty() ? "?type=jar" : "?classifier=" + classifier + "&type=jar";
      return "pkg:maven/" + group + "/" + name + "@" + version + type;
    }

    private Part with(String other) {
      return new Part(group, name, version, other, licences);
    }
  }

  private final Map<String, List<Part>> byStem;

  private WildFlyParts(Map<String, List<Part>> byStem) {
    this.byStem = byStem;
  }

  static WildFlyParts read(Path home) throws IOException {
    List<Part> parts = new ArrayList<>();
    for (Element one :
        Xml.below(Xml.root(home.resolve("docs/licenses/licenses.xml")), "dependency")) {
      parts.add(
          new Part(
              Xml.text(one, "groupId"),
              Xml.text(one, "artifactId"),
              Xml.text(one, "version"),
              "",
              Xml.below(one, "license").stream()
                  .map(each -> new Licence(Xml.text(each, "name"), Xml.text(each, "url")))
                  .toList()));
    }
    return new WildFlyParts(parts.stream().collect(groupingBy(Part::stem)));
  }

  /** The artifact of a jar. Throws for a jar of no artifact or of several. */
  Part of(Path jar) {
    String file = jar.getFileName().toString();
    String stem = file.substring(0, file.length() - ".jar".length());
    String known =
        Stream.iterate(stem, each -> !each.isEmpty(), WildFlyParts::withoutLastWord)
            .filter(byStem::containsKey)
            .findFirst()
            .orElseThrow(() -> new IllegalStateException("WildFly's licences do not name " + jar));
    List<Part> found = byStem.get(known);
    if (found == null || found.stream().map(Part::group).distinct().count() != 1) {
      throw new IllegalStateException(jar + " may be any of " + found);
    }
    return found.get(0).with(stem.equals(known) ? "" : stem.substring(known.length() + 1));
  }

  /** The only artifact with this name, for a jar without a version in its name. */
  Part named(String name) {
    return byStem.values().stream()
        .flatMap(List::stream)
        .filter(part -> part.name().equals(name))
        .max(Comparator.comparing(Part::version))
        .orElseThrow(() -> new IllegalStateException("WildFly's licences do not name " + name));
  }

  private static String withoutLastWord(String stem) {
    return stem.substring(0, Math.max(0, stem.lastIndexOf('-')));
  }
}
