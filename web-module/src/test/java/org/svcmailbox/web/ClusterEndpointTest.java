package org.svcmailbox.web;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import jakarta.servlet.ServletException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The cluster over HTTP. */
class ClusterEndpointTest {
  private final TestServer server = TestServer.open();
  private final HttpCalls calls = HttpCalls.to(server);

  ClusterEndpointTest() throws ServletException {}

  @AfterEach
  void close() throws ServletException {
    server.close();
  }

  @Test
  void nodesAndGroupsAreTold() throws Exception {
    JsonNode expected =
        new ObjectMapper()
            .readTree(
                """
                {"clustered": true, "node": "a", "map_version": 7,
                 "nodes": [
                   {"node": "a", "url": "http://a:8080", "state": "up", "fit": true,
                    "beat_age_ms": 120, "release": "1.2.3"},
                   {"node": "b", "url": "http://b:8080", "state": "unfit", "fit": false,
                    "unfit_because": "no broker session", "beat_age_ms": 640,
                    "release": "1.2.3"}],
                 "groups": [
                   {"group": 0, "wanted": "a", "holder": "a", "epoch": 12, "state": "held"},
                   {"group": 1, "wanted": "a", "holder": "b", "epoch": 9, "state": "closed",
                    "trouble": "no log"},
                   {"group": 2, "state": "away"}]}
                """);
    assertEquals(expected, calls.call("GET", "/v1/cluster").json());
  }

  @Test
  void aServerThatIsAloneSaysSo() throws Exception {
    server.cluster.isAlone = true;
    JsonNode expected =
        new ObjectMapper()
            .readTree("{\"clustered\": false, \"map_version\": 0, \"nodes\": [], \"groups\": []}");
    assertEquals(expected, calls.call("GET", "/v1/cluster").json());
  }

  @Test
  void aClusterHasNoParameters() throws Exception {
    assertEquals(400, calls.call("GET", "/v1/cluster?group=1").status());
  }
}
