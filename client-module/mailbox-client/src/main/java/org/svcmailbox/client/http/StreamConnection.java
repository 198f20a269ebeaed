package org.svcmailbox.client.http;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.service.ServiceProblem;
import org.svcmailbox.client.service.StreamArrivals;
import org.svcmailbox.client.service.StreamArrivals.Sign;
import org.svcmailbox.client.service.StreamEnding;
import org.svcmailbox.client.service.StreamLink;
import org.svcmailbox.client.service.StreamTerms;

/** A stream of lines, which threads of the HTTP client read. */
final class StreamConnection<M> extends StreamLink<M> implements StreamBody.Sink {
  private final StreamArrivals<M> arrivals;
  private final StreamFormat<M> format;
  private final StreamBody body;

  /** Of the {@code end} line. */
  private volatile @Nullable JsonNode problem;

  StreamConnection(
      StreamArrivals<M> arrivals, StreamFormat<M> format, int maxLine, StreamTerms request) {
    super(request);
    this.arrivals = arrivals;
    this.format = format;
    this.body = new StreamBody(maxLine, this);
  }

  StreamBody body() {
    return body;
  }

  /**
   * The problem that the service ended it with; null for none.
   *
   * @param token of its request, which nothing shows; null if it is not known
   */
  @Nullable ServiceProblem problem(@Nullable String token) {
    JsonNode said = problem;
    return said == null || token == null ? null : ProblemJson.of(said, token);
  }

  @Override
  protected void more() {
    body.more();
  }

  @Override
  public boolean lines(List<byte[]> lines) {
    List<Sign<M>> signs = new ArrayList<>();
    IOException failure = null;
    try {
      for (byte[] line : lines) {
        if (line.length > 0) {
          note(format.read(line), signs);
        }
      }
    } catch (IOException e) {
      failure = e;
    }
    return arrivals.arrived(this, signs, failure);
  }

  private void note(StreamLine<M> line, List<Sign<M>> signs) throws IOException {
    Sign<M> sign = line.sign();
    if (sign instanceof StreamArrivals.Ended<M>) {
      problem = line.problem();
    }
    if (sign != null) {
      signs.add(sign);
    }
  }

  @Override
  public void over(@Nullable Throwable failure) {
    arrivals.over(this, StreamEnding.CUT, failure);
  }

  @Override
  public void unreadable(Throwable failure) {
    arrivals.over(this, StreamEnding.UNREADABLE, failure);
  }
}
