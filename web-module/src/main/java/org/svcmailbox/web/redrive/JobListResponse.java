package org.svcmailbox.web.redrive;

import java.util.List;
import org.svcmailbox.core.redrive.RedriveService.Status;

record JobListResponse(List<JobResponse> jobs) {
  static JobListResponse of(List<Status> jobs) {
    return new JobListResponse(jobs.stream().map(JobResponse::of).toList());
  }
}
