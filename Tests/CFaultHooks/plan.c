#include "internal.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static fault_plan plan;
static int64_t count;
static char last_statement[120] = "none";
static bool in_transaction;

void fault_install(fault_plan new_plan) {
  plan = new_plan;
  fault_register_files();
  fault_register_connections(plan.page_limit);
}

void fault_lift(void) {
  pthread_mutex_lock(&lock);
  plan.first = 0;
  pthread_mutex_unlock(&lock);
  fault_lift_page_limit();
}

int64_t fault_count(void) {
  pthread_mutex_lock(&lock);
  int64_t result = count;
  pthread_mutex_unlock(&lock);
  return result;
}

void fault_note_statement(sqlite3 *connection, const char *sql) {
  pthread_mutex_lock(&lock);
  snprintf(last_statement, sizeof last_statement, "%s", sql);
  // VACUUM is a transaction of its own, whose statements SQLite doesn't trace.
  in_transaction = !sqlite3_get_autocommit(connection) || strcmp(sql, "VACUUM") == 0;
  pthread_mutex_unlock(&lock);
}

/// Says where the process ends, for whoever started it, and ends it.
static void die(const char *detail) {
  fprintf(
    stderr, "killed at event %lld, %s a transaction: %s, last statement: %s\n", (long long)count,
    in_transaction ? "inside" : "outside", detail, last_statement);
  kill(getpid(), SIGKILL);
  // The signal may take a moment to arrive.
  for (;;) pause();
}

int fault_at(fault_event event, const char *detail, fault_half_write half_write, void *context) {
  pthread_mutex_lock(&lock);
  bool fails = false;
  if (plan.events & event) {
    count += 1;
    fails = plan.first > 0 && count >= plan.first && count - plan.first < plan.length;
  }
  if (fails && plan.writes_half && half_write) half_write(context);
  if (fails && plan.result_code == 0) die(detail);
  int code = fails ? plan.result_code : 0;
  pthread_mutex_unlock(&lock);
  return code;
}
