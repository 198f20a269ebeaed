package org.svcmailbox.bench.rendezvous;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.svcmailbox.bench.contestant.Server;
import org.svcmailbox.bench.figure.Figures;
import org.svcmailbox.bench.machine.Listener;
import org.svcmailbox.bench.machine.Progress;
import org.svcmailbox.bench.options.Options;
import org.svcmailbox.bench.options.WarmUpTrend;

/** The part {@code pairs}: messages a second of the door and of each peer, in turn. */
final class PeerRounds {
  private static final int CONNECTIONS = 64;
  private static final Duration STRETCH = Duration.ofSeconds(2);

  private final Options options;
  private final RendezvousPeer.Talk talk = RendezvousPeers.postAndGet();
  private int turns;

  PeerRounds(Options options) {
    this.options = options;
  }

  /** Measures the installed peers and returns them. */
  List<RendezvousPeer> run(Figures figures) throws Exception {
    Map<RendezvousPeer, Listener> peers = new LinkedHashMap<>();
    try (Server server = Door.open(options, "pairs", Map.of())) {
      for (RendezvousPeer peer : RendezvousPeers.all()) {
        if (peer.isInstalled()) {
          peers.put(peer, peer.start(options.work()));
        } else {
          Progress.say(peer.title() + ": not installed; " + peer.install());
        }
      }
      URI door = Door.of(server);
      warmUp("the door", lasting -> load(door, lasting));
      for (Map.Entry<RendezvousPeer, Listener> each : peers.entrySet()) {
        URI peer = each.getValue().uri();
        warmUp(each.getKey().title(), lasting -> load(each.getKey(), peer, lasting));
      }
      for (int number = 1; number <= options.rounds(); number++) {
        Progress.round(number, options.rounds());
        round(door, peers, figures);
      }
    } finally {
      peers.values().forEach(Listener::close);
    }
    return List.copyOf(peers.keySet());
  }

  /** Measures each peer right after the door, in the same state of the machine. */
  private void round(URI door, Map<RendezvousPeer, Listener> peers, Figures into)
      throws IOException {
    for (Map.Entry<RendezvousPeer, Listener> each : peers.entrySet()) {
      RendezvousPeer peer = each.getKey();
      URI server = each.getValue().uri();
      double ours = load(door, options.load());
      double theirs = load(peer, server, options.load());
      peer.names().add(into, ours, theirs);
    }
  }

  private interface Rate {
    double during(Duration lasting) throws IOException;
  }

  /** Each is loaded until it gets no faster, as the contestants of {@code compare} are. */
  private void warmUp(String title, Rate rate) throws IOException {
    WarmUpTrend warmth = new WarmUpTrend(options.warmUp());
    while (!warmth.isWarm()) {
      double perSecond = rate.during(STRETCH);
      warmth.add(perSecond, STRETCH);
      Progress.say(String.format(Locale.ROOT, "warming up %s: %,.0f", title, perSecond));
    }
  }

  private double load(RendezvousPeer peer, URI server, Duration lasting) throws IOException {
    return DialogueLoop.perSecond(server, peer.dialogues(server, ++turns, CONNECTIONS), lasting);
  }

  /** Loads the door with POST and GET, and returns messages a second. */
  double load(URI door, Duration lasting) throws IOException {
    int turn = ++turns;
    List<Dialogue> dialogues =
        IntStream.range(0, CONNECTIONS)
            .mapToObj(number -> talk.with(door, RendezvousPeer.mailbox(turn, number), number))
            .toList();
    return DialogueLoop.perSecond(door, dialogues, lasting);
  }
}
