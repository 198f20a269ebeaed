package org.svcmailbox.worker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.svcmailbox.worker.config.SettingsFiles;

/** The one jar that people install. */
@Timeout(120)
class WorkerJarIT {
  private static final Path TARGET =
      Path.of(System.getProperty("basedir", "."), "target").toAbsolutePath();
  private static final Pattern PART =
      Pattern.compile("META-INF/maven/([^/]+)/([^/]+)/pom\\.properties");
  private static final Pattern PORT = Pattern.compile("probes at port ([0-9]+)");
  private static final int MAX_CONNECTIONS = 64;
  private static final String OURS = "org.svcmailbox";

  @TempDir private Path directory;

  private static Path jar() throws IOException {
    try (Stream<Path> files = Files.list(TARGET)) {
      return files
          .filter(file -> file.getFileName().toString().matches("sea-mq-worker-.*-all\\.jar"))
          .findFirst()
          .orElseThrow();
    }
  }

  private static JsonNode parts(JarFile jar) throws IOException {
    return new ObjectMapper()
        .readTree(jar.getInputStream(jar.getEntry("META-INF/sbom/sea-mq-worker.json")))
        .path("components");
  }

  private static String name(JsonNode part) {
    return part.path("group").asText() + ":" + part.path("name").asText();
  }

  @Test
  void itListsThePartsThatItHas() throws IOException {
    try (JarFile jar = new JarFile(jar().toFile())) {
      Set<String> listed = new TreeSet<>(Set.of(OURS + ":sea-mq-worker"));
      parts(jar).forEach(part -> listed.add(name(part)));
      Set<String> packed =
          jar.stream()
              .map(entry -> PART.matcher(entry.getName()))
              .filter(Matcher::matches)
              .map(part -> part.group(1) + ":" + part.group(2))
              .collect(Collectors.toCollection(TreeSet::new));
      assertTrue(packed.contains("org.xerial:sqlite-jdbc"), packed::toString);
      packed.removeAll(listed);
      assertEquals(Set.of(), packed);
    }
  }

  @Test
  void itHasTheLicenceOfEachPart() throws IOException {
    try (JarFile jar = new JarFile(jar().toFile())) {
      String apache =
          new String(jar.getInputStream(jar.getEntry("META-INF/LICENSE")).readAllBytes(), UTF_8);
      assertTrue(apache.contains("Apache License"), apache);
      Set<String> missing = new TreeSet<>();
      for (JsonNode part : parts(jar)) {
        String file = "META-INF/licenses/" + part.path("name").asText() + ".txt";
        if (!isApache(part) && jar.getEntry(file) == null) {
          missing.add(name(part) + " " + part.path("licenses"));
        }
      }
      assertEquals(Set.of(), missing);
    }
  }

  private static boolean isApache(JsonNode part) {
    return part.path("group").asText().equals(OURS)
        || part.path("licenses").findValuesAsText("id").contains("Apache-2.0");
  }

  private ProcessBuilder command(String... arguments) throws IOException {
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.addAll(List.of("-jar", jar().toString()));
    line.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(line).directory(directory.toFile());
    builder.environment().put("SEA_MQ_HEALTH_PORT", "0");
    return builder;
  }

  private String run(int expected, String... arguments) throws Exception {
    Process process = command(arguments).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertTrue(process.waitFor(60, TimeUnit.SECONDS), output);
    assertEquals(expected, process.exitValue(), output);
    return output;
  }

  /** The probes take so many connections, and cut off the next. */
  private static void assertBounded(int port) throws IOException {
    List<Socket> connections = new ArrayList<>();
    try {
      for (int i = 0; i < MAX_CONNECTIONS; i++) {
        connections.add(new Socket(InetAddress.getLoopbackAddress(), port));
      }
      Socket last = connections.get(MAX_CONNECTIONS - 1);
      last.getOutputStream().write("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(UTF_8));
      assertEquals('H', last.getInputStream().read());
      assertTrue(isCutOff(new Socket(InetAddress.getLoopbackAddress(), port)));
    } finally {
      for (Socket connection : connections) {
        connection.close();
      }
    }
  }

  private static boolean isCutOff(Socket connection) throws IOException {
    try (connection) {
      connection.setSoTimeout(30_000);
      return connection.getInputStream().read() == -1;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (SocketException e) {
      return true;
    }
  }

  @Test
  void itRunsUntilASignalAndEndsWell() throws Exception {
    SettingsFiles unused = new SettingsFiles(directory).worker("context = \"sea\"");
    assertTrue(run(0, "migrate").matches("\\{\"migrations\":[1-9]}\n"));
    assertTrue(run(1, "check").contains("{\"part\":\"tables\",\"status\":\"ok\"}"));
    assertEquals("", run(0, "outbox", "list"));
    Process worker = command("run").start();
    try (BufferedReader log = worker.errorReader(UTF_8)) {
      String line = log.readLine();
      while (line != null && !line.contains("Working for sea")) {
        line = log.readLine();
      }
      Matcher port = PORT.matcher(String.valueOf(line));
      assertTrue(port.find(), line);
      assertBounded(Integer.parseInt(port.group(1)));
      // As Process.destroy, but with its output left open.
      assertTrue(worker.toHandle().destroy());
      assertTrue(log.lines().anyMatch(last -> last.contains("Stopped")));
      assertTrue(worker.waitFor(60, TimeUnit.SECONDS));
      assertEquals(0, worker.exitValue());
    } finally {
      worker.destroyForcibly();
    }
  }
}
