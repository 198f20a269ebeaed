package org.svcmailbox.ejb.cluster;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import org.svcmailbox.core.cluster.NodeView;
import org.svcmailbox.core.cluster.PeerProbe;

/** Reads from a peer's {@code /readyz} whether it reaches the database. */
final class HttpPeerProbe implements PeerProbe {
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private static final Pattern DATABASE_UP =
      Pattern.compile("\\{\\s*\"name\"\\s*:\\s*\"database\"\\s*,\\s*\"status\"\\s*:\\s*\"UP\"");

  private final HttpClient client;

  /**
   * @param trust of the other nodes; empty for the JVM's own
   */
  HttpPeerProbe(Optional<SSLContext> trust) {
    HttpClient.Builder builder = HttpClient.newBuilder().connectTimeout(PATIENCE);
    trust.ifPresent(builder::sslContext);
    client = builder.build();
  }

  @Override
  public Answer ask(NodeView peer) {
    URI url = NodeView.at(peer.url(), "/readyz");
    try {
      String body =
          client
              .send(HttpRequest.newBuilder(url).timeout(PATIENCE).build(), BodyHandlers.ofString())
              .body();
      return DATABASE_UP.matcher(body).find() ? Answer.DATABASE_UP : Answer.DATABASE_AWAY;
    } catch (IOException e) {
      return Answer.NONE;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Answer.NONE;
    }
  }
}
