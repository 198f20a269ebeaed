package org.svcmailbox.cli;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.codec.Codecs;
import org.svcmailbox.client.http.HttpMailbox;
import org.svcmailbox.client.http.HttpService;
import org.svcmailbox.client.http.TokenSource;
import picocli.CommandLine.Option;

/**
 * The options of every command that calls the service. Flags override variables, and variables
 * override the file.
 */
final class ServiceOptions {
  private static final String TOKEN_FILE_VARIABLE = "TOKEN_FILE";
  private static final String URL_VARIABLE = "URL";

  @Option(
      names = "--url",
      paramLabel = "URL",
      description = "The service; else $MAILBOX_URL, else url in the configuration file.")
  private @Nullable String url;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description =
          "The file with the capability; else $MAILBOX_TOKEN_FILE, else token_file in the"
              + " configuration file.")
  private @Nullable Path tokenFile;

  @Option(
      names = "--allow-plain-http",
      description = "Allow http to another machine, where anybody between can read the token.")
  private boolean allowPlainHttp;

  @Option(
      names = "--timeout",
      paramLabel = "DURATION",
      description =
          "How long a call is repeated until it is answered: 10s, and 30s for a send, below the"
              + " topic's t_replay.")
  private @Nullable Duration timeout;

  /** Connects a command to the service. */
  HttpService service(Surroundings surroundings) {
    return service(surroundings, null);
  }

  /**
   * Connects a command to the service.
   *
   * @param streamed the topic to receive from by a stream; null for none
   */
  HttpService service(Surroundings surroundings, @Nullable String streamed) {
    ConfigFile file = ConfigFile.read(surroundings);
    try {
      HttpService.Builder service =
          HttpService.builder(uri(surroundings, file), tokens(surroundings, file));
      if (allowPlainHttp || file.allowPlainHttp()) {
        service.allowPlainHttp();
      }
      if (timeout != null) {
        service.callTimeout(timeout);
      }
      if (streamed != null) {
        service.streaming(streamed);
      }
      return service.build();
    } catch (IllegalArgumentException e) {
      throw unusable(e);
    }
  }

  /** Names the option instead of the client's method. */
  private static UsageException unusable(IllegalArgumentException e) {
    String message = String.valueOf(e.getMessage());
    return new UsageException(
        message.contains("Timeout")
            ? "--timeout must be longer than 0 and, for a send, below 5m"
            : message.replace("allowPlainHttp()", "give --allow-plain-http"),
        e);
  }

  /** Opens a topic to send to. */
  HttpMailbox<byte[], byte[]> mailbox(Surroundings surroundings, String topic) {
    ConfigFile file = ConfigFile.read(surroundings);
    try {
      HttpMailbox.Builder<byte[], byte[]> mailbox =
          HttpMailbox.builder(
              uri(surroundings, file),
              tokens(surroundings, file),
              topic,
              Codecs.bytes(),
              Codecs.bytes());
      if (allowPlainHttp || file.allowPlainHttp()) {
        mailbox.allowPlainHttp();
      }
      if (timeout != null) {
        mailbox.sendTimeout(timeout);
      }
      return mailbox.build();
    } catch (IllegalArgumentException e) {
      throw unusable(e);
    }
  }

  /** The prefix of keys that the capability requires; empty if it requires none or is malformed. */
  String keyPrefix(Surroundings surroundings) {
    try {
      return TokenFiles.read(tokenFile, surroundings).keyPrefix();
    } catch (UsageException e) {
      // The call itself reports the problem, as it does for any other call.
      return "";
    }
  }

  private URI uri(Surroundings surroundings, ConfigFile file) {
    String text =
        Optional.ofNullable(url)
            .or(() -> Optional.of(surroundings.prefixed(URL_VARIABLE)).filter(v -> !v.isEmpty()))
            .or(file::url)
            .orElseThrow(() -> missing("service", "--url", URL_VARIABLE, "url", surroundings));
    try {
      return new URI(text);
    } catch (URISyntaxException e) {
      // Without the URI, which may contain a password.
      throw new UsageException("the service's URL is malformed");
    }
  }

  private TokenSource tokens(Surroundings surroundings, ConfigFile file) {
    Path path = Optional.ofNullable(tokenFile).orElseGet(() -> tokenFile(surroundings, file));
    if (!Files.isReadable(path)) {
      throw new UsageException("the token file " + path + " cannot be read");
    }
    return TokenSource.file(path);
  }

  /** The token file if no flag names one. */
  static Path tokenFile(Surroundings surroundings, ConfigFile file) {
    return Optional.of(surroundings.prefixed(TOKEN_FILE_VARIABLE))
        .filter(variable -> !variable.isEmpty())
        .map(Path::of)
        .or(file::tokenFile)
        .orElseThrow(
            () ->
                missing(
                    "token file", "--token-file", TOKEN_FILE_VARIABLE, "token_file", surroundings));
  }

  private static UsageException missing(
      String what, String flag, String variable, String key, Surroundings surroundings) {
    String place = ConfigFile.place(surroundings).map(Path::toString).orElse("config.toml");
    return new UsageException(
        "no "
            + what
            + ": give "
            + flag
            + ", $MAILBOX_"
            + variable
            + ", or "
            + key
            + " in "
            + place);
  }
}
