package org.svcmailbox.layout;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/** Reads elements of XML files by name, ignoring namespaces. */
final class Xml {
  private Xml() {}

  static Element root(Path file) throws IOException {
    return root(new InputSource(file.toUri().toString()));
  }

  static Element root(InputSource source) throws IOException {
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
      factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
      factory.setNamespaceAware(true);
      return factory.newDocumentBuilder().parse(source).getDocumentElement();
    } catch (ParserConfigurationException | SAXException e) {
      throw new IOException("not XML: " + source.getSystemId(), e);
    }
  }

  /** All elements with this name below another one, at any depth; {@code *} matches any name. */
  static List<Element> below(Element element, String name) {
    NodeList found = element.getElementsByTagNameNS("*", name);
    return IntStream.range(0, found.getLength()).mapToObj(i -> (Element) found.item(i)).toList();
  }

  /** The text of the first element with this name. */
  static String text(Element element, String name) {
    return below(element, name).get(0).getTextContent().strip();
  }
}
