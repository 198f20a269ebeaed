package org.svcmailbox.web.problem;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.ejb.EJBException;
import jakarta.ws.rs.NotAllowedException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.problem.MailboxException;
import org.svcmailbox.core.problem.NotClusteredException;
import org.svcmailbox.core.problem.NotFoundException;
import org.svcmailbox.core.problem.Problem;
import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.web.trace.Correlation;

class FunnelTest {
  private static final Call CALL = new Call("POST", "/v1/send", Correlation.fresh(), "192.0.2.1");

  private final Logger logger = Logger.getLogger(Funnel.class.getName());
  private final List<LogRecord> records = new ArrayList<>();
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord logged) {
          records.add(logged);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @BeforeEach
  void listen() {
    logger.addHandler(handler);
    logger.setUseParentHandlers(false);
  }

  @AfterEach
  void stopListening() {
    logger.removeHandler(handler);
    logger.setUseParentHandlers(true);
  }

  private LogRecord only() {
    assertEquals(1, records.size());
    return records.get(0);
  }

  @Test
  void aClientsMistakeIsOneLineWithoutAStack() {
    Funnel.thrown(new EJBException(new SchemaException("topic", "is required")), CALL);
    LogRecord line = only();
    assertEquals(Level.INFO, line.getLevel());
    assertEquals("POST /v1/send answered 400 E_SCHEMA: topic: is required", line.getMessage());
    assertNull(line.getThrown());
  }

  @Test
  void callsThatAnyoneCanMakeAreSampled() {
    Call unknown = new Call("GET", "/robots.txt", Correlation.fresh(), "192.0.2.77");
    for (int i = 0; i < 1_000; i++) {
      Funnel.outcome(Problems.ofStatus(404), unknown);
      Funnel.outcome(ProblemBody.of(Problem.E_CAP_AUTH, "no token"), unknown);
    }
    assertEquals(10, records.size());
    records.clear();
    Call other = new Call("GET", "/robots.txt", Correlation.fresh(), "192.0.2.78");
    Funnel.outcome(Problems.ofStatus(404), other);
    assertTrue(
        only().getMessage().endsWith("; before it, 1990 more were denied or had no such path"));
    records.clear();
    Funnel.outcome(ProblemBody.of(Problem.E_SCHEMA, "a mistake"), CALL);
    assertEquals(1, records.size());
  }

  @Test
  void aMethodThatNobodyKnowsIsNotOurFailure() {
    assertEquals(Problem.E_SCHEMA, Problems.ofStatus(501).code());
    assertEquals(501, Problems.ofStatus(501).status());
  }

  @Test
  void aCapabilityIsNotWrittenDownWhereverItsHolderPutsIt() {
    String token = "AgEHbWFpbGJveAIvbWIxOmstMjNhNjgyZjU6ZThmOWJkYTcxMDA2MmExNDA2ZjM1YWEw_-A";
    Call call = new Call("GET", "/v1/topics/" + token, Correlation.fresh(), "192.0.2.1");
    Funnel.thrown(new SchemaException(token, "unknown field"), call);
    assertEquals(
        "GET /v1/topics/<capability> answered 400 E_SCHEMA: <capability>: unknown field",
        only().getMessage());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "mailbox", "https://elsewhere.example/a/long/location"})
  void aCapabilityIsKnownByItsFormWhateverLocationItsHolderGaveIt(String location) {
    Funnel.thrown(new SchemaException(token(location), "unknown field"), CALL);
    assertEquals(
        "POST /v1/send answered 400 E_SCHEMA: <capability>: unknown field", only().getMessage());
  }

  @ParameterizedTest
  @ValueSource(strings = {"%%%02x", "%%%02X", "%%25%02x", "%%2525%02x"})
  void aCapabilityInPercentEncodingIsNotLogged(String encoding) {
    for (int encoded : List.of(1, 2, 3, 50, 160)) {
      records.clear();
      StringBuilder path = new StringBuilder("/v1/topics/");
      token("x").chars().limit(encoded).forEach(c -> path.append(encoding.formatted(c)));
      path.append(token("x").substring(encoded)).append("/purge");
      Call call = new Call("POST", path.toString(), Correlation.fresh(), "192.0.2.1");
      Funnel.outcome(ProblemBody.of(Problem.E_SCHEMA, "no such topic"), call);
      assertEquals(
          "POST /v1/topics/<capability>/purge answered 400 E_SCHEMA: no such topic",
          only().getMessage());
    }
  }

  @Test
  void aLongCapabilityNeedsNoDeepStack() {
    Call call =
        new Call("GET", "/AgEH" + "Aa_-%41".repeat(300_000), Correlation.fresh(), "192.0.2.1");
    Funnel.outcome(ProblemBody.of(Problem.E_SCHEMA, "too long"), call);
    assertEquals("GET /<capability> answered 400 E_SCHEMA: too long", only().getMessage());
  }

  private static String token(String location) {
    byte[] form = new byte[120];
    form[0] = 2;
    form[1] = (byte) (location.isEmpty() ? 2 : 1);
    form[2] = (byte) (location.isEmpty() ? 40 : location.length());
    System.arraycopy(location.getBytes(UTF_8), 0, form, 3, location.length());
    return Base64.getUrlEncoder().withoutPadding().encodeToString(form);
  }

  @Test
  void aTokenInPlaceOfItsIdIsNotLogged() {
    Call call =
        new Call(
            "POST", "/v1/rendezvous/tokens/mZ3_-secret/rotate", Correlation.fresh(), "192.0.2.1");
    Funnel.thrown(new NotFoundException("No token has this id"), call);
    assertEquals(
        "POST /v1/rendezvous/tokens/<token>/rotate answered 404 E_NOT_FOUND: No token has this id",
        only().getMessage());
  }

  @Test
  void anIdOfATokenIsWrittenDown() {
    Call call =
        new Call(
            "DELETE", "/v1/rendezvous/tokens/0123456789abcdef", Correlation.fresh(), "192.0.2.1");
    Funnel.thrown(new NotFoundException("gone"), call);
    assertEquals(
        "DELETE /v1/rendezvous/tokens/0123456789abcdef answered 404 E_NOT_FOUND: gone",
        only().getMessage());
  }

  @Test
  void theLogHasOnlyEightDigitsOfAMailbox() {
    Call call =
        new Call("GET", "/v1/mailbox/" + "0123ABcd".repeat(8), Correlation.fresh(), "192.0.2.1");
    Funnel.thrown(new NotFoundException("No such path"), call);
    assertEquals(
        "GET /v1/mailbox/0123ABcd... answered 404 E_NOT_FOUND: No such path", only().getMessage());
  }

  @Test
  void whatSeveralNodesCannotDoIsRefusedByNameAndIsNoFailure() {
    ProblemBody problem = Funnel.thrown(new EJBException(new NotClusteredException()), CALL);
    assertEquals(503, problem.status());
    assertEquals("not_clustered", problem.more().get("reason"));
    assertEquals(60_000L, problem.more().get("retry_after_ms"));
    assertEquals(List.of(), records);
  }

  @Test
  void aServerErrorIsLoggedWithStackAndCorrelationId() {
    IllegalStateException cause = new IllegalStateException("secret");
    ProblemBody problem = Funnel.thrown(new EJBException(cause), CALL);
    LogRecord line = only();
    assertEquals(Level.SEVERE, line.getLevel());
    assertEquals(cause, line.getThrown());
    String corrId = assertNotNullText(problem.more().get("corr_id"));
    assertTrue(line.getMessage().contains(corrId));
    assertFalse(problem.members().toString().contains("secret"));
  }

  @Test
  void aStackIsLoggedWithoutTheCapabilityThatAMessageOfItHas() {
    String token = token("x");
    Funnel.thrown(new EJBException(new IllegalStateException("a", new Exception(token))), CALL);
    StringWriter stack = new StringWriter();
    only().getThrown().printStackTrace(new PrintWriter(stack));
    String text = stack.toString();
    assertFalse(text.contains(token), text);
    assertTrue(text.startsWith("java.lang.IllegalStateException: a\n\tat "), text);
    assertTrue(text.contains("Caused by: java.lang.Exception: <capability>\n"), text);
  }

  private static String assertNotNullText(@org.jspecify.annotations.Nullable Object value) {
    assertNotNull(value);
    return String.valueOf(value);
  }

  @Test
  void aServiceThatIsAwayIsTraceableAndRetriable() {
    ProblemBody problem =
        Funnel.thrown(new UnavailableException("away", new RuntimeException()), CALL);
    assertEquals(503, problem.status());
    assertTrue(problem.more().keySet().containsAll(Set.of("corr_id", "retry_after_ms")));
    assertEquals(Level.SEVERE, only().getLevel());
  }

  @Test
  void refusalsUnderLoadDoNotFillTheLog() {
    Refusal refusal = Refusal.saturated("shard_capacity", "Full", Duration.ofSeconds(1));
    assertEquals(429, Funnel.outcome(Problems.refused(refusal), CALL).status());
    assertEquals(List.of(), records);
  }

  @Test
  void aLogLineStaysOneLine() {
    String key = "attrs.a\nERROR forged\r\u2028\u0007" + "x".repeat(2000);
    Funnel.thrown(new SchemaException(key, "must be a string"), CALL);
    String line = only().getMessage();
    assertTrue(line.startsWith("POST /v1/send answered 400 E_SCHEMA: attrs.a?ERROR forged???x"));
    assertEquals(512, line.length());
  }

  @Test
  void errorsOfJaxRsKeepTheirStatus() {
    ProblemBody problem = Funnel.thrown(new NotAllowedException("GET"), CALL);
    assertEquals(405, problem.status());
    assertEquals(Problem.E_SCHEMA, problem.code());
  }

  @ParameterizedTest
  @EnumSource(Problem.class)
  void everyProblemHasItsStatus(Problem problem) {
    MailboxException thrown =
        new MailboxException(problem, "detail") {
          private static final long serialVersionUID = 1L;
        };
    ProblemBody body = Funnel.thrown(thrown, CALL);
    assertEquals(problem, body.code());
    Set<String> headers = ProblemAnswer.of(body, CALL).headers().keySet();
    assertEquals(problem.retryable(), headers.contains("Retry-After"));
    assertEquals(problem == Problem.E_FRAME_TOO_LARGE, headers.contains("Connection"));
  }

  @Test
  void theStatusesAreThoseOfTheInterface() {
    assertEquals(
        "E_SCHEMA=400 E_CAP_AUTH=401 E_CAP_SCOPE=403 E_NOT_FOUND=404 E_DUPLICATE=409 "
            + "E_RECEIPT=410 E_PRECONDITION=412 E_FRAME_TOO_LARGE=413 E_INTEGRITY=422 "
            + "E_SATURATED=429 E_UNAVAILABLE=503 E_INTERNAL=500",
        Stream.of(Problem.values())
            .map(problem -> problem + "=" + Statuses.of(problem))
            .collect(Collectors.joining(" ")));
  }
}
