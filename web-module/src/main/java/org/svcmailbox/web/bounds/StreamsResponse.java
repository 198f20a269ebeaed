package org.svcmailbox.web.bounds;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.delivery.HoldingService.HeldStream;
import org.svcmailbox.core.envelope.Timestamps;

/** Open streams, oldest first. */
record StreamsResponse(List<OpenStream> streams) {
  /** One open stream. */
  record OpenStream(
      String topic,
      String door,
      String capability,
      String since,
      int unsettled,
      @Nullable String paused) {
    private static OpenStream of(HeldStream held) {
      return new OpenStream(
          held.topic().value(),
          held.door(),
          held.capability(),
          Timestamps.text(held.since()),
          held.unsettled(),
          held.paused());
    }
  }

  static StreamsResponse of(List<HeldStream> held) {
    return new StreamsResponse(held.stream().map(OpenStream::of).toList());
  }
}
