package org.svcmailbox.cli;

import org.svcmailbox.client.http.HttpService;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** A command that changes one topic. */
abstract class TopicCall extends CliCommand {
  @Mixin private ServiceOptions service;

  @Parameters(index = "0", paramLabel = "TOPIC", converter = Values.Topic.class)
  private String topic;

  /** Makes the calls. */
  abstract ExitCode run(HttpService calls, JsonOutput out);

  final String topic() {
    return topic;
  }

  /** The path of the topic. */
  final String path() {
    return "/v1/topics/" + topic;
  }

  @Override
  final ExitCode run(JsonOutput out) {
    try (HttpService calls = service.service(surroundings())) {
      return run(calls, out);
    }
  }
}
