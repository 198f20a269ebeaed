package org.svcmailbox.layout;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TableBlock;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.ext.heading.anchor.HeadingAnchorExtension;
import org.commonmark.node.Heading;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.AttributeProvider;
import org.commonmark.renderer.html.HtmlRenderer;

/** Makes pages of HTML of the documents, and one that lists them. The console serves them. */
final class Documents {
  private static final String MARKDOWN = ".md";
  private static final String HTML = ".html";
  private static final Set<String> IMAGES = Set.of(".svg", ".png");
  private static final List<Extension> EXTENSIONS =
      List.of(TablesExtension.create(), HeadingAnchorExtension.create());
  private static final Parser PARSER = Parser.builder().extensions(EXTENSIONS).build();

  private final Path source;
  private final Path target;
  private final Set<String> names;

  private Documents(Path source, Path target, Set<String> names) {
    this.source = source;
    this.target = target;
    this.names = names;
  }

  /**
   * Converts a directory without those below it, and copies its images.
   *
   * @param target created if it is missing
   */
  static void convert(Path source, Path target) throws IOException {
    Files.createDirectories(target);
    Documents documents = new Documents(source, target, names(source));
    StringBuilder list = new StringBuilder("<h1>Documents</h1>\n<ul>\n");
    for (String name : documents.names) {
      list.append(documents.convert(name));
    }
    documents.write("index.html", "Documents", list.append("</ul>\n").toString());
  }

  private static Set<String> names(Path source) throws IOException {
    try (Stream<Path> files = Files.list(source)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(MARKDOWN) || IMAGES.stream().anyMatch(name::endsWith))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  /** Returns the document's entry in the list; none for an image. */
  private String convert(String name) throws IOException {
    if (!name.endsWith(MARKDOWN)) {
      Files.write(target.resolve(name), Files.readAllBytes(source.resolve(name)));
      return "";
    }
    Node document = PARSER.parse(Files.readString(source.resolve(name)));
    String title = title(document);
    String page = name.replace(MARKDOWN, HTML);
    write(page, title, renderer().render(document));
    return "<li><a href=\"%s\">%s</a></li>\n".formatted(page, title);
  }

  /** The first heading, escaped and without tags. */
  private static String title(Node document) {
    for (Node node = document.getFirstChild(); node != null; node = node.getNext()) {
      if (node instanceof Heading) {
        return HtmlRenderer.builder().build().render(node).replaceAll("<[^>]*>", "").strip();
      }
    }
    throw new IllegalArgumentException("a document has no heading");
  }

  private HtmlRenderer renderer() {
    return HtmlRenderer.builder()
        .extensions(EXTENSIONS)
        .attributeProviderFactory(context -> attributes())
        .build();
  }

  private AttributeProvider attributes() {
    return (node, tag, attributes) -> {
      if (node instanceof Link) {
        lead(attributes);
      } else if (node instanceof TableBlock || tag.equals("pre")) {
        // They scroll sideways, also by keys.
        attributes.put("tabindex", "0");
      }
    };
  }

  /** Leads a link to the page of a document; what the console does not serve is no link. */
  private void lead(Map<String, String> attributes) {
    String link = attributes.getOrDefault("href", "");
    if (link.startsWith("#") || link.startsWith("https://")) {
      return;
    }
    String file = link.replaceFirst("#.*", "");
    if (names.contains(file)) {
      attributes.put("href", link.replaceFirst("\\.md(?=#|$)", HTML));
    } else {
      attributes.remove("href");
    }
  }

  private void write(String name, String title, String body) throws IOException {
    String page =
        """
        <!DOCTYPE html>
        <html lang="en">
          <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>%s</title>
            <link rel="icon" href="../favicon.svg" type="image/svg+xml">
            <link rel="stylesheet" href="../css/document.css">
          </head>
          <body>
            <nav aria-label="Main"><a href="../">Mailbox console</a> <a href="./">Documents</a></nav>
            <main>
        %s</main>
          </body>
        </html>
        """
            .formatted(title, body);
    Files.writeString(target.resolve(name), page);
  }
}
