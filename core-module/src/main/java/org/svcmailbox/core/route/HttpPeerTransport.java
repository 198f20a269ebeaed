package org.svcmailbox.core.route;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.capability.BearerToken;
import org.svcmailbox.core.cluster.NodeView;

/** Frames over HTTP/1.1, with the capability of this node. */
public final class HttpPeerTransport {
  /** The path of frames of calls at a node. */
  public static final String CALLS = "/v1/peer/calls";

  /** The path of questions for topics with messages. */
  public static final String READY = "/v1/peer/ready";

  /** The path of questions for counts. */
  public static final String STATE = "/v1/peer/state";

  /** The path of parts of operators' calls. */
  public static final String GROUPS = "/v1/peer/groups";

  /** Longer than workers may take to answer an operator. */
  private static final Duration LONGEST_TASK = Duration.ofSeconds(15);

  private static final Duration CONNECT = Duration.ofSeconds(1);
  private static final String OCTETS = "application/octet-stream";
  private static final int OK = 200;
  private static final int CLIENT_ERROR = 400;
  private static final int TOO_MANY_REQUESTS = 429;
  private static final int SERVER_ERROR = 500;

  private final Supplier<BearerToken> token;
  private final HttpClient client;

  /**
   * @param token of this node
   * @param tls trusts the other nodes; null for the JDK's own trust
   * @param executor runs the continuations of answers; must accept every task
   */
  public HttpPeerTransport(
      Supplier<BearerToken> token, @Nullable SSLContext tls, Executor executor) {
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(CONNECT)
            .executor(executor);
    this.token = token;
    this.client = (tls == null ? builder : builder.sslContext(tls)).build();
  }

  /** Carries calls. */
  public PeerTransport calls() {
    return to(CALLS, PeerTransport.LONGEST, PeerCodec.MOST_ANSWER_BYTES);
  }

  /** Carries questions for topics with messages. */
  public PeerTransport ready() {
    return to(READY, PeerTransport.LONGEST, ReadyCodec.MOST_BYTES);
  }

  /** Carries questions for counts. */
  public PeerTransport counts() {
    return to(STATE, PeerTransport.LONGEST, CountsCodec.MOST_ANSWER_BYTES);
  }

  /** Carries parts of operators' calls. */
  public PeerTransport groups() {
    return to(GROUPS, LONGEST_TASK, PeerCodec.MOST_ANSWER_BYTES);
  }

  private PeerTransport to(String path, Duration longest, int mostBytes) {
    return (peer, frame) -> post(NodeView.at(peer, path), frame, longest, mostBytes);
  }

  private CompletionStage<byte[]> post(URI url, byte[] body, Duration longest, int mostBytes) {
    try {
      HttpRequest request =
          HttpRequest.newBuilder(url)
              .timeout(longest)
              .header("Authorization", "Bearer " + token.get().value())
              .header("Content-Type", OCTETS)
              .header("Accept", OCTETS)
              .POST(HttpRequest.BodyPublishers.ofByteArray(body))
              .build();
      return client
          .sendAsync(request, info -> new BoundedBody(mostBytes))
          .handle(HttpPeerTransport::ended);
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(new PeerTransport.NotSentException(e.toString()));
    }
  }

  private static byte[] ended(HttpResponse<byte[]> response, @Nullable Throwable failure) {
    if (failure != null) {
      Throwable cause = Router.unwrapped(failure);
      throw new CompletionException(
          isBeforeTheFrame(cause) ? new PeerTransport.NotSentException(cause.toString()) : cause);
    }
    int status = response.statusCode();
    if (status == OK) {
      return response.body();
    }
    String text = "status " + status;
    // A client error refuses the frame as a whole, but for a peer without room for the answers.
    boolean isRefused =
        status >= CLIENT_ERROR && status < SERVER_ERROR && status != TOO_MANY_REQUESTS;
    throw new CompletionException(
        isRefused ? new PeerTransport.NotSentException(text) : new IOException(text));
  }

  private static boolean isBeforeTheFrame(Throwable failure) {
    return failure instanceof ConnectException
        || failure instanceof HttpConnectTimeoutException
        || failure instanceof SSLHandshakeException;
  }
}
