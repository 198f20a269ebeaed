package org.svcmailbox.it.container;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.importer.ZipImporter;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.svcmailbox.it.container.probe.ProbeServlet;

/** The EAR as the build left it; the system property {@code mailbox.ear} names the file. */
final class BuiltEar {
  /** The name it is deployed under. */
  static final String NAME = "mailbox";

  private static final String DESCRIPTOR = "META-INF/application.xml";

  private static final String PROBE_MODULE =
      """
        <module>
          <web>
            <web-uri>probe.war</web-uri>
            <context-root>/inside</context-root>
          </web>
        </module>
      """;

  private BuiltEar() {}

  /** Nothing added, nothing removed. */
  static EnterpriseArchive asBuilt() {
    return ShrinkWrap.create(ZipImporter.class, NAME + ".ear")
        .importFrom(new File(System.getProperty("mailbox.ear")))
        .as(EnterpriseArchive.class);
  }

  /** With one web module more, which has the same access to the beans as the doors have. */
  static EnterpriseArchive withProbe() {
    EnterpriseArchive ear = asBuilt();
    String descriptor = text(ear, DESCRIPTOR);
    String extended = descriptor.replaceFirst("(?=\\s*<library-directory>)", "\n" + PROBE_MODULE);
    if (extended.equals(descriptor)) {
      throw new IllegalStateException("no place for a module in " + descriptor);
    }
    ear.delete(DESCRIPTOR);
    ear.add(new StringAsset(extended), DESCRIPTOR);
    return ear.addAsModule(
        ShrinkWrap.create(WebArchive.class, "probe.war")
            .addPackage(ProbeServlet.class.getPackage())
            .addAsWebInfResource(new StringAsset(""), "beans.xml"));
  }

  private static String text(EnterpriseArchive ear, String path) {
    try (InputStream in = ear.get(path).getAsset().openStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
