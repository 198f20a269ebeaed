package org.svcmailbox.layout;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.svcmailbox.layout.WildFlyParts.Part;

/**
 * Adds the jars of the laid-out server to Maven's list of parts (CycloneDX). Each jar gets a
 * component with its paths and the texts of its licences. An artifact that is already in the list,
 * such as a library of the EAR, gets the additional path there.
 */
final class Sbom {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Already in Maven's list, under other file names. */
  private static final List<String> OURS =
      List.of("org/svcmailbox", "org/xerial", "org/postgresql");

  private static final String SERVER = "pkg:maven/org.wildfly/wildfly-dist@";

  private final Path home;
  private final WildFlyParts parts;
  private final ObjectNode sbom;
  private final Map<String, ObjectNode> components = new TreeMap<>();

  private Sbom(Path home, Path file) throws IOException {
    this.home = home;
    this.parts = WildFlyParts.read(home);
    this.sbom = (ObjectNode) JSON.readTree(file.toFile());
    sbom.path("components")
        .forEach(part -> components.put(part.path("purl").asText(), (ObjectNode) part));
  }

  /** Rewrites the file; a complete file stays unchanged. */
  static void complete(Path home, Path file) throws IOException {
    Sbom sbom = new Sbom(home, file);
    for (Path jar : sbom.jars()) {
      sbom.add(jar);
    }
    sbom.write(file);
  }

  private List<Path> jars() throws IOException {
    Path modules = home.resolve("modules");
    try (Stream<Path> files = Files.walk(modules)) {
      return Stream.concat(
              Stream.of(home.resolve("jboss-modules.jar")),
              files
                  .filter(file -> file.toString().endsWith(".jar"))
                  .filter(file -> OURS.stream().noneMatch(modules.relativize(file)::startsWith)))
          .sorted()
          .toList();
    }
  }

  private void add(Path jar) throws IOException {
    Part part = jar.endsWith("jboss-modules.jar") ? parts.named("jboss-modules") : parts.of(jar);
    ObjectNode component = components.get(part.purl());
    if (component == null) {
      component = component(part, jar);
      components.put(part.purl(), component);
    }
    ArrayNode places = component.withObject("/evidence").withArray("occurrences");
    String place = home.relativize(jar).toString();
    for (JsonNode known : places) {
      if (known.path("location").asText().equals(place)) {
        return;
      }
    }
    places.addObject().put("location", place);
  }

  private ObjectNode component(Part part, Path jar) throws IOException {
    ObjectNode component = JSON.createObjectNode();
    component.put("type", "library");
    component.put("bom-ref", part.purl());
    component.put("group", part.group());
    component.put("name", part.name());
    component.put("version", part.version());
    component.put("scope", "required");
    component.putArray("hashes").addObject().put("alg", "SHA-256").put("content", sha256(jar));
    ArrayNode licences = component.putArray("licenses");
    for (Licence licence : part.licences()) {
      ObjectNode one = licences.addObject().putObject("license");
      String id = licence.spdx();
      one.put(id == null ? "name" : "id", id == null ? licence.name() : id);
      one.put("url", licence.url());
      one.putArray("properties")
          .addObject()
          .put("name", "svc-mailbox:text")
          .put("value", licence.text(home));
    }
    component.put("purl", part.purl());
    return component;
  }

  private void write(Path file) throws IOException {
    ArrayNode all = sbom.putArray("components");
    ArrayNode ofTheServer = JSON.createArrayNode();
    components.values().forEach(all::add);
    components.forEach(
        (purl, part) -> {
          if (part.path("evidence").has("occurrences")) {
            ofTheServer.add(part.path("bom-ref").asText());
          }
        });
    for (JsonNode one : sbom.path("dependencies")) {
      if (one.path("ref").asText().startsWith(SERVER)) {
        ((ObjectNode) one).set("dependsOn", ofTheServer);
      }
    }
    JSON.writerWithDefaultPrettyPrinter().writeValue(file.toFile(), sbom);
  }

  private static String sha256(Path jar) throws IOException {
    try {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(jar)));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }
}
