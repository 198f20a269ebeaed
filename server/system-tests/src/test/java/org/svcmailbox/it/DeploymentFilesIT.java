package org.svcmailbox.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.settings.ClusterSetting;
import org.svcmailbox.core.settings.ServiceSetting;
import org.svcmailbox.core.settings.Setting;
import org.svcmailbox.it.server.BuiltDistribution;

/**
 * The Dockerfile and the systemd unit, as far as they can be checked without a daemon to run them:
 * what they name is in the archive.
 */
class DeploymentFilesIT {
  private static final Path CONFIG = Path.of("..", "config");
  private static final Path MANIFEST = CONFIG.resolve("kubernetes/mailbox.yaml");
  private static final String INSTALLED = "/opt/mailbox/";

  /** The model collects unknown fields otherwise. */
  private static final ObjectMapper STRICT =
      JsonMapper.builder()
          .annotationIntrospector(
              new JacksonAnnotationIntrospector() {
                private static final long serialVersionUID = 1L;

                @Override
                public Boolean hasAnySetter(Annotated annotated) {
                  return false;
                }
              })
          .build();

  private final BuiltDistribution distribution = BuiltDistribution.built();
  private final String dockerfile = Files.readString(CONFIG.resolve("container/Dockerfile"));
  private final String unit = Files.readString(CONFIG.resolve("systemd/mailbox.service"));

  private final String brokersUnit =
      Files.readString(CONFIG.resolve("systemd/mailbox-broker.service"));

  DeploymentFilesIT() throws IOException {}

  @Test
  void theImageHasABaseThatIsNamed() {
    String base = only("FROM (\\S+)", dockerfile);
    assertTrue(base.matches("[a-z/-]+:\\d+[a-z0-9._-]+"), base);
  }

  @Test
  void theImageAddsTheArchiveThatTheBuildMakes() {
    String version = distribution.name().substring("mailbox-server-".length());
    String added = only("ADD (\\S+) /opt/", dockerfile).replace("${VERSION}", version);
    assertEquals(distribution.name() + ".tar.gz", added);
    assertEquals("mailbox-server-${VERSION}", only("ln -s (\\S+) /opt/mailbox ", dockerfile));
  }

  @Test
  void whatIsStartedIsInTheArchive() {
    assertIsInTheArchive(only("ENTRYPOINT \\[\"([^\"]+)\"\\]", dockerfile));
    assertIsInTheArchive(only("ExecStart=(\\S+)", unit));
    assertIsInTheArchive(only("ExecStart=(\\S+)", brokersUnit));
  }

  @Test
  void bothRunForAUserOfTheirOwnAndKeepTheDataOutside() {
    assertEquals("mailbox", only("USER (\\S+)", dockerfile));
    assertEquals("mailbox", only("User=(\\S+)", unit));
    assertEquals(
        only("VOLUME (\\S+)", dockerfile), only("MAILBOX_DATA_DIR=(\\S+) \\\\", dockerfile));
    assertEquals("%S/" + only("StateDirectory=(\\S+)", unit), only("_DATA_DIR=(\\S+)", unit));
    assertEquals("%L/" + only("LogsDirectory=(\\S+)", unit), only("_LOG_DIR=(\\S+)", unit));
  }

  @Test
  void aStopIsASignalAndLeavesTimeToLeaveAClusterAndToDrain() throws IOException {
    assertEquals("SIGTERM", only("STOPSIGNAL (\\S+)", dockerfile));
    assertLeavesTime(Long.parseLong(only("TimeoutStopSec=(\\d+)", unit)));
    assertLeavesTime(pod().path("terminationGracePeriodSeconds").asLong());
  }

  private static void assertLeavesTime(long seconds) {
    Duration most =
        most(ClusterSetting.LEAVE_DEADLINE)
            .plus(most(ServiceSetting.DRAIN_DEADLINE).multipliedBy(2));
    Duration allowed = Duration.ofSeconds(seconds);
    assertTrue(allowed.compareTo(most) > 0, allowed::toString);
  }

  private static Duration most(Setting<Duration> deadline) {
    return Duration.parse("PT" + deadline.bounds().replaceFirst(".* ", ""));
  }

  private static List<JsonNode> manifest() throws IOException {
    try (MappingIterator<JsonNode> documents =
        new YAMLMapper().readerFor(JsonNode.class).readValues(MANIFEST.toFile())) {
      return documents.readAll();
    }
  }

  private static JsonNode pod() throws IOException {
    return manifest().get(1).at("/spec/template/spec");
  }

  /** By the model of Kubernetes' own API: each field is known, and has its type. */
  @Test
  void kubernetesKnowsEachFieldOfTheManifest() throws IOException {
    Map<String, Class<?>> kinds =
        Map.of("Service", Service.class, "StatefulSet", StatefulSet.class);
    for (JsonNode document : manifest()) {
      assertNotNull(STRICT.treeToValue(document, kinds.get(document.path("kind").asText())));
    }
    ObjectNode wrong = (ObjectNode) manifest().get(1);
    ((ObjectNode) wrong.at("/spec/template/spec")).put("enableServiceLink", false);
    assertThrows(
        UnrecognizedPropertyException.class, () -> STRICT.treeToValue(wrong, StatefulSet.class));
  }

  @Test
  void thePodIsTheImages() throws IOException {
    JsonNode security = pod().path("securityContext");
    String user = only("--uid (\\d+)", dockerfile);
    for (String id : List.of("runAsUser", "runAsGroup", "fsGroup")) {
      assertEquals(user, security.path(id).asText(), id);
    }
    JsonNode container = pod().at("/containers/0");
    String volume = only("VOLUME (\\S+)", dockerfile);
    assertEquals(volume, container.at("/volumeMounts/0/mountPath").asText());
    assertTrue(container.at("/env/0/value").asText().startsWith(volume + "/"));
  }

  @Test
  void thePodsVariablesAreSettings() throws IOException {
    String settings = Files.readString(Path.of("..", "..", "docs", "SETTINGS.md"));
    for (JsonNode variable : pod().at("/containers/0/env")) {
      String name = variable.path("name").asText();
      assertTrue(settings.contains("`" + name + "`"), name);
    }
  }

  @Test
  void onlyWhatARestartMendsRestartsAContainer() throws IOException {
    assertEquals("http://127.0.0.1:8080/healthz", only("CMD curl -fs (\\S+) \\|\\|", dockerfile));
    JsonNode container = pod().at("/containers/0");
    assertEquals("/healthz", container.at("/startupProbe/httpGet/path").asText());
    assertEquals("/healthz", container.at("/livenessProbe/httpGet/path").asText());
    assertEquals("/readyz?for=reads", container.at("/readinessProbe/httpGet/path").asText());
  }

  private void assertIsInTheArchive(String installed) {
    assertTrue(installed.startsWith(INSTALLED), installed);
    String entry = distribution.name() + "/" + installed.substring(INSTALLED.length());
    assertTrue(distribution.zipFiles().contains(entry), entry);
  }

  private static String only(String pattern, String text) {
    List<String> found =
        Pattern.compile("(?m)^(?!#).*?" + pattern)
            .matcher(text)
            .results()
            .map((MatchResult match) -> match.group(1))
            .toList();
    assertEquals(1, found.size(), () -> pattern + ": " + found);
    return found.get(0);
  }
}
