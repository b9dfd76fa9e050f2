/* What the rows of shards mean for a session: the folder RESULTS, its shards and the session's own
 * folder must not make a run twice. */
#pragma once

#include "harness/execution/session.h"

/* Before the folder is opened: refuses --fresh and --again where rows of shards would come back. */
enum ending shard_rows_allow(struct session *session);

/* Once the rows of the folder are known. The whole experiment: refused while shards have rows that
 * no merge has brought into RESULTS. A shard: RESULTS says what its shards are of, and runs that
 * have a row elsewhere leave the queue. */
enum ending shard_rows_regard(struct session *session);
