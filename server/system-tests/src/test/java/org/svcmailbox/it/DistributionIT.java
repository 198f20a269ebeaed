package org.svcmailbox.it;

import static java.util.function.Predicate.not;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.GrpcClient;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.it.rendezvous.OpenDoor;
import org.svcmailbox.it.server.BuiltDistribution;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.it.server.WrittenFiles;
import org.svcmailbox.test.files.Trees;

/** The archives a deployer takes, and the server in them. */
@Order(1)
class DistributionIT {
  /** Its name has a blank in it. */
  private static final Path DIRECTORY =
      Path.of("target", "it", "unpacked distribution").toAbsolutePath();

  /** WildFly keeps one where it may, which root may everywhere; without it, it says nothing. */
  private static final String HISTORY = "standalone/configuration/standalone_xml_history";

  private static final Set<PosixFilePermission> WRITE =
      EnumSet.of(
          PosixFilePermission.OWNER_WRITE,
          PosixFilePermission.GROUP_WRITE,
          PosixFilePermission.OTHERS_WRITE);

  private static final String ARCHIVE = "cds/mailbox.jsa";

  /** A JVM's own: newer ones warn of what WildFly calls, too. */
  private static final Pattern COMPLAINT = Pattern.compile("\\[(warning|error) *]|VM warning");

  private static Path home;
  private static String saidWithoutAnArchive;

  @BeforeAll
  static void unpack() throws Exception {
    Trees.delete(DIRECTORY);
    Files.createDirectories(DIRECTORY);
    home = BuiltDistribution.built().unpackInto(DIRECTORY);
    // As much of a start as it takes to read all options.
    saidWithoutAnArchive = said("mailbox", "--version");
  }

  /** The output of a program of the installation, which must end well. */
  private static String said(String program, String... arguments) throws Exception {
    ProcessBuilder builder = new ProcessBuilder(home.resolve("bin").resolve(program).toString());
    builder.command().addAll(List.of(arguments));
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("MAILBOX_DATA_DIR", DIRECTORY.resolve("no data").toString());
    return Scripts.said(builder, 0);
  }

  @AfterAll
  static void makeWritable() throws IOException {
    for (Path path : paths()) {
      permit(path, true);
    }
  }

  @Test
  void theUnpackedServerWorksFromAnyPlaceAndWritesNothingWhereItIsInstalled(@TempDir Path temporary)
      throws IOException {
    for (Path path : paths()) {
      permit(path, false);
    }
    Map<String, String> before = state();
    Map<String, String> settings = Map.of("JAVA_TOOL_OPTIONS", "-Djava.io.tmpdir=" + temporary);
    try (MailboxServer server = MailboxServer.startUnpacked(home, DIRECTORY, settings)) {
      assertNothingListens(server, GrpcClient.PORT);
      assertRendezvousIsOff(server);
      MailboxClient client = new MailboxClient(server.target());
      byte[] payload = "two apples".getBytes(StandardCharsets.UTF_8);
      String id = client.send("orders", "order-1", payload).expect(200).msgId();
      Message message = client.recv(Fields.of("topic", "orders").with("wait_ms", 5_000)).message();
      assertEquals(id, message.msgId());
      assertArrayEquals(payload, message.payload());
      client.ack(message).expect(200);
      assertEquals(Set.of(), librariesIn(temporary), "what a server that is killed would leave");
      assertEquals(0, server.terminate(), "exit code");
      assertTrue(Files.exists(server.data().resolve("log/server.log")), "no log");
      assertOnlyItsUserReads(server.data());
    }
    assertEquals(before, state());
  }

  private static void assertOnlyItsUserReads(Path data) throws IOException {
    List<String> open = new ArrayList<>();
    try (Stream<Path> paths = Files.walk(data)) {
      for (Path path : paths.filter(not(Files::isSymbolicLink)).toList()) {
        String mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
        if (!mode.endsWith("------")) {
          open.add(mode + " " + path);
        }
      }
    }
    assertEquals(List.of(), open);
  }

  /** By day {@code ClassArchiveIT} shows it of the server that the build laid out. */
  @Test
  @Tag("nightly")
  void theUnpackedServerMapsItsArchivedClasses() throws Exception {
    makeWritable();
    said("mailbox-cds");
    // A server of another user than the installation's has to map them.
    assertTrue(
        Files.getPosixFilePermissions(home.resolve(ARCHIVE))
            .contains(PosixFilePermission.OTHERS_READ));
    try (MailboxServer server = MailboxServer.startUnpacked(home, DIRECTORY, Map.of())) {
      assertTrue(server.maps(home.resolve(ARCHIVE)));
    }
  }

  /** Off by default: it has neither port nor thread. */
  private static void assertRendezvousIsOff(MailboxServer server) {
    assertNothingListens(server, OpenDoor.PORT);
    assertEquals(0, server.threads("rendezvous"));
    assertEquals(0, server.threads("mailbox-rendezv"));
    assertEquals(0, server.threads("mailbox-tokens"));
  }

  private static void assertNothingListens(MailboxServer server, int unshifted) {
    assertThrows(
        ConnectException.class,
        () -> new Socket(InetAddress.getLoopbackAddress(), server.port(unshifted)).close());
  }

  @Test
  void whereNoClassesWereArchivedTheServerSaysNothingOfIt() {
    assertTrue(saidWithoutAnArchive.contains("WildFly"), saidWithoutAnArchive);
    assertFalse(COMPLAINT.matcher(saidWithoutAnArchive).find(), saidWithoutAnArchive);
  }

  private static Set<String> librariesIn(Path directory) throws IOException {
    return new WrittenFiles().below(directory, file -> file.toString().contains("sqlite")).names();
  }

  @Test
  void bothArchivesHoldTheSame() {
    BuiltDistribution distribution = BuiltDistribution.built();
    Set<String> inOneOnly = new TreeSet<>(distribution.tarFiles());
    assertTrue(inOneOnly.contains(distribution.name() + "/bin/mailbox"));
    distribution.zipFiles().stream()
        .filter(name -> !inOneOnly.remove(name))
        .toList()
        .forEach(inOneOnly::add);
    assertEquals(Set.of(), inOneOnly);
  }

  @Test
  void everythingIsInOneDirectoryAndNothingARunHasLeft() {
    BuiltDistribution distribution = BuiltDistribution.built();
    String root = distribution.name() + "/";
    List<String> names = distribution.zipFiles();
    assertEquals(List.of(), names.stream().filter(name -> !name.startsWith(root)).toList());
    List<String> left =
        names.stream()
            .map(name -> name.substring(root.length()))
            .filter(
                name ->
                    name.matches("(cds|standalone/(data|log|tmp))/.+")
                        || name.startsWith(HISTORY)
                        || name.matches("standalone/deployments/mailbox\\.ear\\..+"))
            .toList();
    assertEquals(List.of(), left);
  }

  @Test
  void eachArchiveAndTheWorkersJarHaveTheirChecksumsBesideThem() throws Exception {
    List<Path> files = new ArrayList<>();
    for (String stem : List.of("mailbox.distribution", "mailbox.cli")) {
      files.add(Path.of(System.getProperty(stem) + ".tar.gz"));
      files.add(Path.of(System.getProperty(stem) + ".zip"));
    }
    files.add(Path.of(System.getProperty("mailbox.worker")));
    for (Path file : files) {
      for (String bits : List.of("256", "512")) {
        Process check =
            new ProcessBuilder(
                    "sha" + bits + "sum", "--strict", "-c", file.getFileName() + ".sha" + bits)
                .directory(file.resolveSibling("").toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(check.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, check.waitFor(), said);
        assertEquals(file.getFileName() + ": OK\n", said);
      }
    }
  }

  @Test
  void theCommandLineHasArchivesOfItsOwn() {
    BuiltDistribution built = new BuiltDistribution(Path.of(System.getProperty("mailbox.cli")));
    Set<String> files = new TreeSet<>(built.tarFiles());
    assertEquals(files, new TreeSet<>(built.zipFiles()));
    for (String name :
        List.of(
            "README.md",
            "CLI.md",
            "LICENSE",
            "sbom.json",
            "licenses/progressbar.txt",
            "licenses/jline.txt",
            "lib/mailbox-cli.jar",
            "bin/mailbox",
            "bin/mailbox-cds")) {
      assertTrue(files.contains(built.name() + "/" + name), name);
    }
  }

  @Test
  void whatADeployerNeedsIsThere() throws IOException {
    for (String name :
        List.of(
            "README.md",
            "SECURITY.md",
            "LICENSE",
            "sbom.json",
            "standalone/deployments/mailbox.ear",
            "systemd/mailbox.service",
            "systemd/mailbox.env",
            "container/Dockerfile",
            "kubernetes/mailbox.yaml",
            "observability/prometheus-alerts.yaml",
            "observability/grafana-dashboard.json",
            "docs/OPERATIONS.md")) {
      assertTrue(Files.isRegularFile(home.resolve(name)), name);
    }
    assertTrue(Files.isExecutable(home.resolve("bin/mailbox")));
    String version = home.getFileName().toString().substring("mailbox-server-".length());
    assertTrue(Files.readString(home.resolve("README.md")).startsWith("# svc-mailbox " + version));
  }

  @Test
  void everyFileThatOperationsNamesIsThere() throws IOException {
    Matcher named =
        Pattern.compile("`((?:observability|container|kubernetes|systemd|artemis|bin)/[\\w./-]+)`")
            .matcher(Files.readString(home.resolve("docs/OPERATIONS.md")));
    assertTrue(named.find());
    do {
      assertTrue(Files.exists(home.resolve(named.group(1))), named.group(1));
    } while (named.find());
  }

  @Test
  void noFileNamesTheMachineItWasBuiltOn() throws IOException {
    String project = Path.of("..", "..").toRealPath().toString();
    for (Path file : paths()) {
      if (Files.isRegularFile(file) && !file.toString().matches(".*\\.(jar|ear|jsa)")) {
        String text = Files.readString(file, StandardCharsets.ISO_8859_1);
        assertFalse(text.contains(project), file::toString);
      }
    }
  }

  private static Collection<Path> paths() throws IOException {
    try (Stream<Path> paths = Files.walk(home)) {
      return paths.filter(not(path -> path.startsWith(home.resolve(HISTORY)))).toList();
    }
  }

  /** Of files it tells when they were last changed, which nobody can set back. */
  private static Map<String, String> state() throws IOException {
    Map<String, String> state = new TreeMap<>();
    for (Path path : paths()) {
      String wanted = Files.isDirectory(path) ? "unix:mode" : "unix:mode,size,ctime";
      state.put(path.toString(), new TreeMap<>(Files.readAttributes(path, wanted)).toString());
    }
    return state;
  }

  private static void permit(Path path, boolean writing) throws IOException {
    Set<PosixFilePermission> permissions = EnumSet.copyOf(Files.getPosixFilePermissions(path));
    permissions.removeAll(WRITE);
    if (writing) {
      permissions.add(PosixFilePermission.OWNER_WRITE);
    }
    Files.setPosixFilePermissions(path, permissions);
  }
}
